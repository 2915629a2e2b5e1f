import { Writable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import { cpuMs } from '#server/testing/cpu-time.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { createRandom, hostileTexts } from '#server/testing/fuzz/values.ts'
import { openLog, REPEATS_MS, withoutSecrets } from './log.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
afterEach(() => {
  vi.useRealTimers()
})

function collect() {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { lines, log: openLog('info', destination) }
}

test('an outage is reported once in full, then by a short line a minute with a count', () => {
  vi.useFakeTimers()
  const { lines, log } = collect()
  const fail = (message: string) => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })
    log.child({ requestId: crypto.randomUUID() }).error({ err: new Error('Failed query: …', { cause }) }, message)
  }
  for (let i = 0; i < 100; i++) fail('http: a dependency is unavailable')
  fail('background: failed')
  expect(lines.map(({ msg }) => msg)).toEqual(['http: a dependency is unavailable', 'background: failed'])
  expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining('ECONNREFUSED') } })
  vi.advanceTimersByTime(REPEATS_MS)
  for (let i = 0; i < 30; i++) fail('http: a dependency is unavailable')
  vi.advanceTimersByTime(REPEATS_MS)
  const counted = { level: 50, reason: 'ECONNREFUSED', msg: 'http: a dependency is unavailable' }
  expect(lines.slice(2)).toMatchObject([
    { ...counted, count: 99 },
    { ...counted, count: 30 },
  ])
  for (const line of lines.slice(2)) expect(JSON.stringify(line).length).toBeLessThan(300)
  // The next outage is reported in full again.
  vi.advanceTimersByTime(REPEATS_MS)
  fail('background: failed')
  expect(lines.at(-1)).toMatchObject({ msg: 'background: failed', err: { stack: expect.any(String) } })
})

test('errors that are no outage are all written, each with its own request', () => {
  const { lines, log } = collect()
  for (let i = 0; i < 5; i++) log.error({ err: new Error('wrong'), requestId: i }, 'http: unexpected error')
  expect(lines.map(({ requestId }) => requestId)).toEqual([0, 1, 2, 3, 4])
})

test('a line says which process, instance and build it comes from', () => {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  openLog('info', destination, { instance: 'a1b2', build: 'b7' }).info('started')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ pid: process.pid, instance: 'a1b2', build: 'b7', msg: 'started' })
})

test('a failed query is logged without its parameters', async () => {
  let written = ''
  const log = openLog(
    'error',
    new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk)
        done()
      },
    }),
  )
  const failure = await database.db
    .update(users)
    .set({ role: null as unknown as string, name: 'a private word' })
    .where(eq(users.id, 'secret-token'))
    .then(() =>
      database.db
        .insert(users)
        .values({ id: 'secret-token', name: 'a private word', email: null as unknown as string }),
    )
    .catch((error: unknown) => error)
  log.error({ err: failure }, 'unexpected failure')
  expect(written).toContain('unexpected failure')
  expect(written).toMatch(/insert into|Failed query/)
  expect(written).not.toContain('secret-token')
  expect(written).not.toContain('a private word')
})

test('parameters are removed in every format, and the rest stays', () => {
  const stack = 'Error: Failed query: select 1\nparams: мой секрет\nи ещё строка\n    at run (file.ts:1:2)\n    at main'
  expect(withoutSecrets(stack)).toBe('Error: Failed query: select 1\n    at run (file.ts:1:2)\n    at main')
  expect(withoutSecrets('GET /x?token=abc failed')).toBe('GET /x?… failed')
})

/** Each takes some milliseconds; work that grows with the square of the length would take ten seconds. */
const QUICK_MS = 2000

test('a text made of line breaks costs the log no more than any other', async () => {
  const breaks = '\n'.repeat(100_000)
  expect(await cpuMs(() => withoutSecrets(`Failed query\nparams: ${breaks}x`))).toBeLessThan(QUICK_MS)
  expect(await cpuMs(() => withoutSecrets(breaks))).toBeLessThan(QUICK_MS)
})

test('no text makes a line of the log slow or long, wherever in an error it stands', async () => {
  const written: number[] = []
  const log = openLog(
    'error',
    new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk).length)
        done()
      },
    }),
  )
  const parts = [
    '\n',
    ' ',
    '\t',
    '?',
    'params:',
    '\nparams: ',
    '\n    at ',
    ' at a (b:1:2)\n',
    '\\',
    '"',
    '\u2028',
    '😀',
    'a',
  ]
  const random = createRandom(1)
  const texts = [
    ...hostileTexts,
    ...parts.map((part) => part.repeat(Math.ceil(100_000 / part.length))),
    ...Array.from({ length: 60 }, () => Array.from({ length: 5000 }, () => random.pick(parts)).join('')),
  ]
  let slowest = 0
  for (const text of texts) {
    const error = new Error(`Failed query: ${text}\nparams: ${text}`, { cause: new Error(text) })
    error.stack = `${error.message}\n${text}\n    at run (file.ts:1:2)`
    slowest = Math.max(slowest, await cpuMs(() => log.error({ err: error }, 'unexpected failure')))
  }
  expect(slowest).toBeLessThan(QUICK_MS)
  expect(Math.max(...written)).toBeLessThan(200_000)
})
