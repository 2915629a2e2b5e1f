import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { call } from '#contract/call.ts'
import type { Answer, Args, JsonEndpoint } from '#contract/endpoint.ts'
import { filesApi } from '#contract/files.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { testDatabase } from '#server/testing/database.ts'
import { makeDataDir } from '#server/testing/migrated.ts'
import { nodeArgs } from '#server/testing/node-args.ts'
import { freePort } from '../../scripts/lib/services.mjs'

/** The commands as an operator runs them, beside a real server on the embedded database. */

const WAIT = { timeout: 150_000 }
const START_SYMBOLS = 50_000_000
const folder = mkdtempSync(join(tmpdir(), 'symbol-commands-'))
const [dataDir, destination, newDir] = [join(folder, 'data'), join(folder, 'backups'), join(folder, 'new')]
const env = { DATA_DIR: dataDir, BACKUP_TO: destination }
const { url } = await testDatabase()
/** Where there is a Postgres: a new embedded database for one more check takes ten seconds of CPU time. */
const into = url ? ['--into', url] : []
const running = new Map<ChildProcess, Promise<unknown>>()
let server: Awaited<ReturnType<typeof serve>>
let cookie: string
beforeAll(async () => {
  await makeDataDir(dataDir)
  server = await serve(dataDir)
  cookie = await signIn(server.url, 'owner@example.test')
}, WAIT.timeout)
afterAll(async () => {
  for (const child of running.keys()) child.kill('SIGKILL')
  await Promise.all(running.values())
  rmSync(folder, { recursive: true, force: true })
})

function start(program: 'server' | 'archive', args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [...nodeArgs(program), ...args], {
    env: { PATH: dirname(process.execPath), ...env },
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  running.set(child, exited)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  return { child, exited, output: () => output }
}

async function serve(dataDir: string) {
  const PORT = String(await freePort())
  const server = start('server', [], { PORT, DATA_DIR: dataDir, START_SYMBOLS: String(START_SYMBOLS) })
  await vi.waitFor(() => expect(server.output()).toContain('Сборка:'), WAIT)
  return { ...server, url: `http://localhost:${PORT}` }
}

async function command(args: string[], env: Record<string, string>) {
  const run = start('archive', args, env)
  return { code: await run.exited, output: run.output() }
}

async function signIn(url: string, email: string) {
  const headers = { 'content-type': 'application/json', origin: url }
  const body = JSON.stringify({ email, callbackURL: '/' })
  await fetch(`${url}/api/auth/sign-in/magic-link`, { method: 'POST', headers, body })
  const emails = (await (await fetch(`${url}/dev/mail.json`)).json()) as { to: string; text: string }[]
  const token = emails.find(({ to }) => to === email)?.text.match(/token=([^&\s]+)/)?.[1] ?? ''
  const opened = await fetch(`${url}/api/auth/magic-link/open`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  })
  return opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

const callsOf = (url: string, cookie: string) => {
  const ask = (path: string, init: RequestInit) =>
    fetch(url + path, { ...init, headers: { ...(init.headers as Record<string, string>), cookie, origin: url } })
  return {
    ask,
    call: <E extends JsonEndpoint>(endpoint: E, args: Args<E>): Promise<Answer<E>> => call(endpoint, args, ask),
  }
}

// The first backup of the next test is written where this one was interrupted.
test('Ctrl+C ends a command with a sentence and leaves no archive (S10.256)', { timeout: 600_000 }, async () => {
  const interrupted = start('archive', ['backup'], env)
  await expect
    .poll(() => readdir(join(destination, 'running')).catch(() => []), { ...WAIT, interval: 5 })
    .not.toEqual([])
  interrupted.child.kill('SIGINT')
  expect(await interrupted.exited).toBe(130)
  expect(interrupted.output()).toContain('Прервано')
  expect((await command(['restore', '--list'], env)).output).toContain('ни одной копии')
  await expect.poll(async () => (await readdir(dataDir)).filter((name) => name.includes('.copy-'))).toEqual([])
})

test('a working server is backed up, and the archive works elsewhere (S10.250)', {
  timeout: 900_000,
}, async () => {
  const owner = callsOf(server.url, cookie)
  const form = new FormData()
  form.set('file', new File(['слова, которые нельзя потерять'], 'заметка.txt'))
  expect((await owner.ask(filesApi.upload.path, { method: 'POST', body: form })).status).toBe(200)

  let isAsking = true
  let answered = 0
  const asking = (async () => {
    while (isAsking) {
      const { id } = await owner.call(threadsApi.create, { body: {} })
      const path = answersApi.send.path.replace(':id', id)
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const body = JSON.stringify({ content: 'Расскажите коротко' })
      const response = await owner.ask(path, { method: 'POST', headers, body })
      // The rate limit of questions may be reached, which does not matter here.
      if (response.ok) answered += 1
      else if (response.status === 429) await sleep(500)
      else throw new Error(await response.text())
      await response.body?.cancel()
    }
  })()
  await expect.poll(() => answered, WAIT).toBeGreaterThan(0)
  const first = await command(['backup'], env)
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('готова') })
  expect(
    (await readdir(join(destination, 'manifests'), { recursive: true })).filter((name) => name.includes('/')),
  ).toHaveLength(1)
  isAsking = false
  await asking
  await expect.poll(async () => (await readdir(dataDir)).filter((name) => name.includes('.copy-'))).toEqual([])
  const { availableTokens } = (await owner.call(usersApi.me, {})).SingleSubscription
  expect(availableTokens).toBeLessThan(START_SYMBOLS)
  expect((await command(['backup'], env)).code).toBe(0)

  const [made] = /\d{8}T\d{6}Z/.exec(first.output) ?? []
  const good = await command(['restore', made ?? '', '--check'], env)
  expect(good).toMatchObject({ code: 0, output: expect.stringContaining('Учёт сходится') })

  const rows = (await readdir(join(destination, 'rows'), { recursive: true }))
    .sort()
    .findLast((path) => /-users$/.test(path))
  const path = join(destination, 'rows', rows ?? '')
  const bytes = await readFile(path)
  const spoiled = Buffer.from(bytes)
  spoiled.writeUInt8(spoiled.readUInt8(20) ^ 1, 20)
  await writeFile(path, spoiled)
  const bad = await command(['restore', '--check', ...into], env)
  expect(bad).toMatchObject({ code: 1, output: expect.stringContaining('в архиве повреждён') })
  await writeFile(path, bytes)

  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  const moved = await command(['restore'], { DATA_DIR: newDir, BACKUP_TO: destination })
  expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('Файлов скопировано: 1 из 1') })
  const twice = await command(['restore'], { DATA_DIR: newDir, BACKUP_TO: destination })
  expect(twice).toMatchObject({ code: 1, output: expect.stringContaining('уже есть пользователи') })

  const again = await serve(newDir)
  const restored = callsOf(again.url, await signIn(again.url, 'owner@example.test'))
  expect((await restored.call(usersApi.me, {})).SingleSubscription.availableTokens).toBe(availableTokens)
  // The session of the old server is still valid, because the archive contains its secret.
  expect((await callsOf(again.url, cookie).call(usersApi.me, {})).email).toBe('owner@example.test')
})
