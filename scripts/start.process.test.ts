import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '#server/db/folder-lock.ts'
import { makeDataDir } from '#server/testing/migrated.ts'
import { freePort } from './lib/services.mjs'

/** `npm start` and `npm run dev` as a person or a supervisor starts and stops them: through npm, by signals. */

/** Not about speed: the first start may have to build, and the machine may be busy. */
const WAIT = { timeout: 240_000, interval: 200 }
const TEST_MS = 600_000
/** What a stop may take with nothing to finish, on a busy machine: far below DRAIN_SECONDS with its margin. */
const STOPPED = { timeout: 30_000, interval: 200 }

let folder = ''
let npm: ChildProcess | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'symbol-npm-'))
  await makeDataDir(folder)
})
afterEach(async () => {
  for (const pid of runningOf(npm?.pid ?? 0)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => runningOf(npm?.pid ?? 0), STOPPED).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

/** Processes of the group that npm leads, orphans included; what only waits to be reaped is over. */
function runningOf(group: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/))
  return processes
    .filter(([, pgid, state]) => Number(pgid) === group && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid))
}

async function run(...args: string[]) {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const child = spawn('npm', args, {
    env: { PATH, HOME, DATA_DIR: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  npm = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  await expect.poll(() => output, WAIT).toContain('Сборка:')
  return { group: child.pid ?? 0, port, exited, output: () => output }
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })

async function expectNothingLeft(group: number, ...ports: number[]) {
  await expect.poll(() => runningOf(group), STOPPED).toEqual([])
  for (const port of ports) expect(await isFree(port)).toBe(true)
  const unlock = await lockFolder(join(folder, 'database'))
  await unlock()
}

test(
  'SIGTERM to npm stops `npm start` and leaves nothing behind (S10.562)',
  async () => {
    const { group, port, exited } = await run('start')
    expect(await isFree(port)).toBe(false)
    process.kill(group, 'SIGTERM')
    await expectNothingLeft(group, port)
    expect(await exited).toBe(0)
  },
  TEST_MS,
)

test(
  'Ctrl+C reaches the server twice and stops it once (S10.562)',
  async () => {
    const { group, port, exited } = await run('start')
    process.kill(-group, 'SIGINT')
    await expectNothingLeft(group, port)
    expect(await exited).toBe(0)
  },
  TEST_MS,
)

test(
  'the server stops when npm dies suddenly (S10.562)',
  async () => {
    const { group, port } = await run('start')
    process.kill(group, 'SIGKILL')
    await expectNothingLeft(group, port)
  },
  TEST_MS,
)

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '%s to npm stops `npm run dev` and leaves nothing behind (S10.562)',
  async (signal) => {
    const { group, port, output } = await run('run', 'dev')
    await expect.poll(output, WAIT).toContain('Local:')
    process.kill(group, signal)
    await expectNothingLeft(group, port, port + 1)
  },
  TEST_MS,
)
