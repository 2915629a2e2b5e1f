import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { freePort } from '../scripts/lib/services.mjs'
import { openTestDatabase, type TestDatabase } from './testing/database.ts'
import { makeDataDir } from './testing/migrated.ts'
import { nodeArgs } from './testing/node-args.ts'

/** The process itself: start, rejection, stop and kill. Slow, so there are few. */

/** No test here is about the speed of a start, which takes a minute on a busy machine. */
const WAIT = { timeout: 150_000 }
const TEST_MS = 300_000

// A new folder for every try: a retry must not meet the lock of the try before.
let folder = ''
const running = new Map<ChildProcess, Promise<unknown>>()
const databases: TestDatabase[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbol-main-'))
})
afterEach(async () => {
  for (const child of running.keys()) child.kill('SIGKILL')
  await Promise.all(running.values())
  running.clear()
  for (const database of databases.splice(0)) await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A server on Postgres starts sooner; tests about the embedded database use `start`. */
async function startOnPostgres(env: Record<string, string>, flags: string[] = []) {
  if ('file' in inject('snapshot')) {
    await makeDataDir(folder)
    return start(env, flags)
  }
  const database = await openTestDatabase()
  databases.push(database)
  return start({ DATABASE_URL: database.url ?? '', ...env }, flags)
}

function start(env: Record<string, string>, flags: string[] = []) {
  const child = spawn(process.execPath, nodeArgs('server', ...flags), {
    env: { PATH: dirname(process.execPath), DATA_DIR: folder, ...env },
  })
  // Not `exit`: the last lines may be read after it.
  const exited = once(child, 'close').then(([code]) => code as number | null)
  running.set(child, exited)
  let output = ''
  const append = (data: Buffer) => {
    output += data.toString()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  return {
    child,
    output: () => output,
    exited,
    serving: () => expect.poll(() => output, WAIT).toContain('Сборка:'),
  }
}

const askForEmail = (port: string, email: string) =>
  fetch(`http://127.0.0.1:${port}/api/auth/sign-in/magic-link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
    body: JSON.stringify({ email }),
  })

test(
  'a wrong setting is named, and the process exits with 1',
  async () => {
    const server = start({ PORT: 'нет', HOST: '0.0.0.0' })
    expect(await server.exited).toBe(1)
    expect(server.output()).toContain('PORT')
  },
  TEST_MS,
)

test(
  'the server explains itself, rejects a second server and survives kill -9',
  async () => {
    await makeDataDir(folder)
    const PORT = String(await freePort())
    const first = start({ PORT })
    await first.serving()
    expect(first.output()).toContain(`http://localhost:${PORT}/dev/mail`)
    expect(first.output()).toContain('кто войдёт первым')

    const second = start({ PORT: String(await freePort()) })
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain('уже занята')

    expect((await askForEmail(PORT, 'kept@example.test')).status).toBe(200)
    const emails = (await (await fetch(`http://127.0.0.1:${PORT}/dev/mail.json`)).json()) as { text: string }[]
    const token = emails[0]?.text.match(/token=([^&\s]+)/)?.[1]
    first.child.kill('SIGKILL')
    await first.exited

    const again = start({ PORT })
    await again.serving()
    const entered = await fetch(`http://127.0.0.1:${PORT}/api/auth/magic-link/open`, {
      method: 'POST',
      body: new URLSearchParams({ token: token ?? '' }),
      redirect: 'manual',
    })
    expect(entered.headers.getSetCookie().join()).toContain('session_token')
    again.child.kill('SIGTERM')
    expect(await again.exited).toBe(0)
  },
  TEST_MS,
)

test(
  'in production the output is JSON lines with instance, build and process (S10.743)',
  async () => {
    const server = await startOnPostgres({
      PORT: String(await freePort()),
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      APP_URL: 'https://chat.example.test',
      SMTP_URL: 'smtp://127.0.0.1:9',
      AUTH_SECRET: 'x'.repeat(32),
      ADMIN_EMAILS: 'owner@example.test',
      BUILD_ID: 'a-build',
    })
    // In the event that brings the line, not a moment later: the signal must find its handler.
    server.child.stdout.on('data', function stop() {
      if (!server.output().includes('server: started, accepting requests')) return
      server.child.stdout.off('data', stop)
      server.child.kill('SIGTERM')
    })
    expect(await server.exited).toBe(0)
    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const line of lines) {
      expect(line).toMatchObject({ pid: server.child.pid, instance: lines[0].instance, build: 'a-build' })
    }
    expect(lines.at(-1).msg).toBe('server: stopped')
  },
  TEST_MS,
)

test(
  'a taken port is named',
  async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const taken = await startOnPostgres({ PORT: String(typeof address === 'object' ? address?.port : 0) })
    expect(await taken.exited).toBe(1)
    expect(taken.output()).toContain('занят')
    server.close()
  },
  TEST_MS,
)

test.each([
  ['an exception', `setTimeout(() => { throw new Error('planted') })`],
  ['a rejection', `Promise.reject(new Error('planted'))`],
])(
  'an unhandled %s is logged, and the process exits with 1',
  async (_, kind) => {
    const PORT = String(await freePort())
    const plant = `data:text/javascript,process.on('SIGUSR2',()=>{${kind}})`
    const server = await startOnPostgres({ PORT }, ['--import', plant])
    await server.serving()

    const body = JSON.stringify({ email: 'late@example.test' })
    const socket = connect(Number(PORT), '127.0.0.1')
    await once(socket, 'connect')
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    const head = [
      'POST /api/auth/sign-in/magic-link HTTP/1.1',
      'host: localhost',
      `origin: http://localhost:${PORT}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ]
    await new Promise((sent) => socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`, sent))
    // A later request has been answered, so the half of the request above has been read.
    await fetch(`http://127.0.0.1:${PORT}/api/page`)
    server.child.kill('SIGUSR2')
    await expect.poll(() => server.output(), WAIT).toMatch(/server: (?:uncaughtException|unhandledRejection), stopping/)
    socket.write(body.slice(5))
    await expect.poll(() => answer, WAIT).toContain('HTTP/1.1 200')
    expect(await server.exited).toBe(1)
  },
  TEST_MS,
)
