import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Taker = ReturnType<typeof prepare>

const STARTS = 24
let root: string
let program: string
const children: ChildProcess[] = []
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'symbol-locks-'))
  program = join(root, 'lock-and-hang.mjs')
  await build({
    entryPoints: ['server/db/testing/lock-and-hang.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(root, { recursive: true })
})

function prepare(folder: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, folder], {
    env: { PATH: dirname(process.execPath), ...env },
  })
  children.push(child)
  const taker = { child, output: '' }
  child.stdout.on('data', (data: Buffer) => {
    taker.output += data.toString()
  })
  return taker
}

const isReady = (taker: Taker) => taker.output.includes('waiting')
const ended = (taker: Taker) => /got it|refused/.test(taker.output)
const has = (taker: Taker) => taker.output.includes('got it')

function start(folder: string, env: Record<string, string> = {}) {
  const taker = prepare(folder, env)
  taker.child.stdin.write('go')
  return taker
}

async function kill(taker: Taker) {
  const gone = once(taker.child, 'exit')
  taker.child.kill('SIGKILL')
  await gone
}

test.each([1, 2])(
  'exactly 1 of 24 simultaneous starts gets the folder (%i) (S10.155)',
  async (round) => {
    const folder = join(root, `folder-${round}`)
    await mkdir(folder)
    const killed = start(folder)
    await expect.poll(() => has(killed), { timeout: 20_000 }).toBe(true)
    await kill(killed)

    // Half of them with their own TMPDIR, as services and containers have.
    const takers = Array.from({ length: STARTS }, (_, i) => prepare(folder, i % 2 ? { TMPDIR: root } : {}))
    await expect.poll(() => takers.every(isReady), { timeout: 60_000 }).toBe(true)
    for (const { child } of takers) child.stdin.write('go')
    await expect.poll(() => takers.every(ended), { timeout: 60_000 }).toBe(true)
    expect(takers.filter(has)).toHaveLength(1)
    for (const taker of takers.filter((each) => !has(each))) expect(taker.output).toContain('уже занята')

    const late = start(folder, { TMPDIR: folder })
    await expect.poll(() => late.output, { timeout: 20_000 }).toContain('уже занята')
    for (const taker of takers.filter(has)) await kill(taker)
    const next = start(folder)
    await expect.poll(() => has(next), { timeout: 20_000 }).toBe(true)
    await kill(next)
  },
  120_000,
)
