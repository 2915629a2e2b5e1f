import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { users } from '#server/db/schema.ts'
import { cpuMs } from '#server/testing/cpu-time.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createRandom, hostileTexts } from '#server/testing/fuzz/values.ts'
import { AppError } from './errors.ts'
import { openLog, REPEATS_MS } from './log.ts'

const database = await testDatabase()
afterEach(() => {
  vi.useRealTimers()
})

function listen() {
  const lines: string[] = []
  const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) })
  const parsed = () => lines.map((line) => JSON.parse(line))
  return { lines, parsed, destination, log: openLog('trace', destination), last: () => parsed().at(-1) }
}

test('an outage is logged in full once, then counted each minute (S10.544)', () => {
  vi.useFakeTimers()
  const { parsed, log } = listen()
  const fail = (message: string) => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })
    log.child({ requestId: crypto.randomUUID() }).error({ err: new Error('Failed query: …', { cause }) }, message)
  }
  for (let i = 0; i < 100; i++) fail('http: a dependency is unavailable')
  fail('background: failed')
  expect(parsed().map(({ msg }) => msg)).toEqual(['http: a dependency is unavailable', 'background: failed'])
  expect(parsed()[0]).toMatchObject({ err: { cause: { code: 'ECONNREFUSED' } } })
  vi.advanceTimersByTime(REPEATS_MS)
  for (let i = 0; i < 30; i++) fail('http: a dependency is unavailable')
  vi.advanceTimersByTime(REPEATS_MS)
  const counted = { level: 50, reason: 'ECONNREFUSED', msg: 'http: a dependency is unavailable' }
  expect(parsed().slice(2)).toMatchObject([
    { ...counted, count: 99 },
    { ...counted, count: 30 },
  ])
  for (const line of parsed().slice(2)) expect(JSON.stringify(line).length).toBeLessThan(300)
  // The next outage is reported in full again.
  vi.advanceTimersByTime(REPEATS_MS)
  fail('background: failed')
  expect(parsed().at(-1)).toMatchObject({ msg: 'background: failed', err: { stack: expect.any(String) } })
})

test('errors that are not outages are all logged with their request (S10.544)', () => {
  const { parsed, log } = listen()
  for (let i = 0; i < 5; i++) log.error({ err: new Error('wrong'), requestId: i }, 'http: unexpected error')
  expect(parsed().map(({ requestId }) => requestId)).toEqual([0, 1, 2, 3, 4])
})

test('a line says which process, instance and build it comes from', () => {
  const { destination, last } = listen()
  openLog('info', destination, { instance: 'a1b2', build: 'b7' }).info('started')
  expect(last()).toMatchObject({ pid: process.pid, instance: 'a1b2', build: 'b7', msg: 'started' })
})

const MARK = 'Приватныйтекст Privatewords'
const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}
const rejected = (work: Promise<unknown>) => work.catch((error: unknown) => error)

describe('no error brings a text into the log', () => {
  const errors: Record<string, () => unknown> = {
    'a parser that quotes its input': () => thrown(() => JSON.parse(`{"a": ${MARK}`)),
    'a check that names keys': () => thrown(() => z.strictObject({ a: z.number() }).parse({ [MARK]: 1 })),
    'a check that quotes values': () => thrown(() => z.object({ a: z.enum(['x']) }).parse({ a: MARK })),
    'an address': () => thrown(() => new URL(`http://[${MARK}`)),
    'a message over several lines': () => new Error(`one\n${MARK}\n    at run (/srv/${MARK}.ts:1:2)`),
    'a stack in a message': () => new Error(`x\n    at run (${process.cwd()}/${MARK}.ts:1:2)`),
    'a stack that was replaced': () => Object.assign(new Error('x'), { stack: `Error: y\n    at ${MARK} (/a:1:2)` }),
    'a cause': () => new Error('outer', { cause: new Error(MARK, { cause: MARK }) }),
    'a sum of errors': () => new AggregateError([new Error(MARK), MARK], MARK),
    'a sentence for a person': () => new AppError('bad_request', `Файл «${MARK}» слишком велик.`, { field: MARK }),
    'properties of an unknown library': () => Object.assign(new Error('x'), { code: MARK, body: MARK, data: { MARK } }),
    'a name': () => Object.assign(new Error('x'), { name: MARK }),
    'an error of the mail server': () =>
      Object.assign(new Error(`550 <${MARK}> unknown`), { code: 'EENVELOPE', responseCode: 550, response: MARK }),
    'an answer of Redis': () =>
      Object.assign(new Error(`NOAUTH ${MARK}`), { name: 'ReplyError', command: { name: 'publish', args: [MARK] } }),
    'a request that failed': () => rejected(fetch(`http://127.0.0.1:1/?q=${MARK}`)),
    'a duplicate key, which quotes the row': async () => {
      const person = { id: 'one', name: MARK, email: `${MARK}@example.test` }
      await database.db.insert(users).values(person).onConflictDoNothing()
      return rejected(database.db.insert(users).values({ ...person, id: 'two' }))
    },
    'a value of the wrong type': () => rejected(database.db.execute(sql`select ${MARK}::text::int`)),
    'a value inside the statement': () => rejected(database.db.execute(sql.raw(`select '${MARK}'::int`))),
  }

  test.each(Object.entries(errors))('%s (S10.610)', async (_, make) => {
    const { log, lines } = listen()
    const error = await make()
    log.error({ err: error }, 'failed')
    log.warn({ reason: error, userId: 'u1' }, 'failed')
    log.fatal({ err: error })
    log.error(error)
    const written = lines.join('')
    for (const word of MARK.split(' ')) expect(written).not.toContain(word)
    // The last line repeats the one before; of an outage it is only counted.
    expect(lines.length).toBeGreaterThanOrEqual(3)
  })
})

test('a thrown text is logged as a text only (S10.610)', () => {
  const { log, last } = listen()
  log.error({ err: MARK }, 'failed')
  expect(last().err).toEqual({ type: 'string' })
})

describe('an operator still sees what failed and where', () => {
  test('the kind, the code and the place (S10.610)', () => {
    const { log, last } = listen()
    log.error({ err: Object.assign(new TypeError('secret'), { code: 'ECONNREFUSED', syscall: 'connect' }) }, 'failed')
    expect(last().err).toMatchObject({ type: 'TypeError', code: 'ECONNREFUSED', syscall: 'connect' })
    expect(last().err.stack).toMatch(/^ {4}at .*log\.api\.test\.ts:\d+:\d+\)?$/m)
    log.error({ err: new Error('Connection terminated unexpectedly') }, 'failed')
    expect(last().err.message).toBe('Connection terminated unexpectedly')
  })

  test('the statement, the constraint and the state of a failed query (S10.610)', async () => {
    const { log, last } = listen()
    const person = { id: 'secret-token', name: 'a private word', email: null as unknown as string }
    log.error({ err: await rejected(database.db.insert(users).values(person)) }, 'failed')
    expect(last().err.query).toContain('insert into "users"')
    expect(last().err.cause).toMatchObject({ code: '23502', table: 'users', column: 'email' })
    log.error({
      err: await rejected(
        database.db
          .update(users)
          .set({ role: null as never })
          .where(eq(users.id, 'x')),
      ),
    })
    expect(last()).toMatchObject({ msg: 'failed' })
  })

  test('the kinds of problems in data of a wrong form', () => {
    const { log, last } = listen()
    log.error({ err: thrown(() => z.object({ a: z.string(), b: z.int() }).parse({ a: 1 })) }, 'failed')
    expect(last().err).toMatchObject({ type: 'ZodError', issues: ['invalid_type', 'invalid_type'] })
  })
})

/** Each takes some milliseconds; work that grows with the square of the length would take ten seconds. */
const QUICK_MS = 2000

test('no text in an error makes a log line slow or long', async () => {
  const { log, lines } = listen()
  const parts = ['\n', ' ', '\t', '?', "'", '\n    at ', ' at a (b:1:2)\n', '\\', '"', '\u2028', '😀', 'a']
  const random = createRandom(1)
  const texts = [
    ...hostileTexts,
    ...parts.map((part) => part.repeat(Math.ceil(100_000 / part.length))),
    ...Array.from({ length: 60 }, () => Array.from({ length: 5000 }, () => random.pick(parts)).join('')),
  ]
  let slowest = 0
  for (const text of texts) {
    const error = new Error(`Failed query: ${text}`, { cause: new Error(text) })
    Object.assign(error, { stack: `${error.message}\n${text}\n    at run (file.ts:1:2)`, query: text, params: [text] })
    slowest = Math.max(slowest, await cpuMs(() => log.error({ err: error }, 'unexpected failure')))
  }
  expect(slowest).toBeLessThan(QUICK_MS)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(20_000)
})

test('no log line contains an error’s message, cause or printed form (S10.610)', () => {
  const calls = sources('server').flatMap((file) =>
    callsIn(readFileSync(file, 'utf8'))
      .map((call) => `${file}: ${call}`)
      .filter((call) => /\.(message|details|cause|stack|body|text)\b|String\(|inspect\(|JSON\./.test(call)),
  )
  expect(calls).toEqual([])
})

/** The arguments of each call of the log. */
function callsIn(source: string): string[] {
  return [...source.matchAll(/\blog\??\.(?:trace|debug|info|warn|error|fatal|\[\w+\])\(/g)].map(
    ({ 0: call, index }) => {
      const begin = index + call.length
      let end = begin
      for (let open = 1; open > 0 && end < source.length; end++) open += { '(': 1, ')': -1 }[source[end] ?? ''] ?? 0
      return source.slice(begin, end - 1)
    },
  )
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .map((file) => join(folder, file))
}
