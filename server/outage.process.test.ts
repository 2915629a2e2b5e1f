import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, startPostgres } from '../scripts/lib/services.mjs'
import { nodeArgs } from './testing/node-args.ts'

/** A server whose real Postgres is stopped. */

const WAIT = { timeout: 150_000 }
const CALLS = 40

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startServer(port: number, databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'symbol-outage-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: dirname(process.execPath), DATA_DIR: folder, PORT: String(port), DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, nodeArgs('server'), { env })
  closing.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  await expect.poll(() => output, WAIT).toContain('Сборка:')
  return () => output
}

async function signIn(base: string, origin: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin }
  const body = JSON.stringify({ email: 'anna@example.test', callbackURL: '/' })
  await fetch(`${base}/api/auth/sign-in/magic-link`, { method: 'POST', headers, body })
  const emails = (await (await fetch(`${base}/dev/mail.json`)).json()) as { text: string }[]
  const token = emails[0]?.text.match(/token=([^&\s]+)/)?.[1] ?? ''
  const opened = await fetch(`${base}/api/auth/magic-link/open`, {
    ...{ method: 'POST', headers: { origin }, redirect: 'manual' },
    body: new URLSearchParams({ token }),
  })
  return opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

test('without Postgres calls and sockets answer 503, with each error logged once (S10.543, S10.544)', {
  timeout: 300_000,
}, async () => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('Postgres is not installed')
  const port = await freePort()
  const [base, origin] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  const output = await startServer(port, postgres.url)
  const cookie = await signIn(base, origin)
  await postgres.stop()
  const before = output().length

  for (let i = 0; i < CALLS; i++) expect((await fetch(`${base}/api/threads`, { headers: { cookie } })).status).toBe(503)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/websocket`, { origin, headers: { cookie } })
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])

  const lines = output()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('"err":'))
    .map((line) => JSON.parse(line) as { msg: string; err: { code?: string; message: string } })
  const ofCalls = lines.filter(({ msg }) => msg === 'http: a dependency is unavailable')
  // A connection may break off, be refused or time out: three reasons at most.
  expect(ofCalls.length).toBeGreaterThan(0)
  expect(ofCalls.length).toBeLessThanOrEqual(3)
  expect(lines.filter(({ msg }) => msg === 'background: failed').length).toBeLessThanOrEqual(6)
})
