import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { databaseGauges } from '#server/features/health/figures.ts'
import { createServiceState } from '#server/instances/service-state.ts'
import { StorageError } from '#server/storage/storage.ts'
import { testApp } from '#server/testing/app.ts'
import { testFolder } from '#server/testing/folder.ts'
import { watchMail, watchStorage } from './listen.ts'
import {
  countAnswer,
  countJobError,
  countProviderError,
  countRecovered,
  observeFirstText,
  provideDatabaseGauges,
  provideGauges,
} from './metrics.ts'
import { loadSite } from './site.ts'

const folder = testFolder()
mkdirSync(join(folder, 'web/assets'), { recursive: true })
writeFileSync(join(folder, 'build.json'), '{"id":"b"}')
writeFileSync(join(folder, 'web/index.html'), '<title></title>')
writeFileSync(join(folder, 'web/assets/app.js'), '1')
// With the page served, every GET also matches the pattern of the page.
const app = await testApp({ deps: { site: loadSite(folder) } })
afterAll(async () => {
  provideDatabaseGauges(async () => ({}))
})

const shown = async () => (await app.app.request('/metrics')).text()
const sample = async (start: string) => {
  const line = (await shown()).split('\n').find((text) => text.startsWith(start))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}
const labelled = async (method: string, route: string, status: number) =>
  (await sample(`http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`)) ?? 0

test.each([
  ['GET', '/api/health/ready', '/api/health/ready', 200],
  ['GET', '/api/threads/abc', '/api/threads/:id', 401],
  ['GET', '/metrics', '/metrics', 200],
  ['GET', '/api/auth/get-session', '/api/auth/get-session', 200],
  ['GET', '/api/auth/made-up/path', '/api/auth/*', 404],
  ['GET', '/assets/app.js', '/assets/*', 200],
  ['GET', '/assets/invented-by-a-caller.js', '/assets/*', 404],
  ['GET', '/no/such/place', '/*', 404],
  ['POST', '/no/such/place', 'none', 404],
  ['POST', '/api/threads', '/api/threads', 401],
])('%s %s is counted as %s', async (method, path, route, status) => {
  const before = await labelled(method, route, status)
  const answer = await app.app.request(path, { method, headers: { origin: 'http://localhost:3000' } })
  expect(answer.status).toBe(status)
  const own = route === '/metrics' ? 1 : 0
  expect((await labelled(method, route, status)) - before).toBe(1 + own)
})

test('a call refused early is counted under its own route', async () => {
  const before = await labelled('PATCH', '/api/users/:id', 403)
  await app.app.request('/api/users/x', { method: 'PATCH', headers: { origin: 'https://evil.example' } })
  expect((await labelled('PATCH', '/api/users/:id', 403)) - before).toBe(1)
})

test('slow answers have buckets of their own up to a minute', async () => {
  const text = await shown()
  for (const le of ['10', '30', '60']) expect(text).toContain(`le="${le}"`)
})

test('answers, providers and recovery are counted, and names cannot grow without end', async () => {
  for (let i = 0; i < 200; i++) countAnswer({ status: 'complete', model: `model-${i}`, charged: 2 })
  observeFirstText({ model: 'model-1', seconds: 3 })
  countProviderError({ provider: 'openai', error: 'down' })
  countRecovered('answer', 3)
  countJobError('clean-files')
  const text = await shown()
  const names = new Set([...text.matchAll(/^answers_total\{.*model="([^"]*)"/gm)].map(([, name]) => name))
  expect(names.size).toBeLessThanOrEqual(101)
  expect(text).toContain('answers_total{status="complete",model="other"}')
  expect(text).toContain('answer_first_text_seconds_bucket{le="5",model="model-1"} 1')
  expect(text).toContain('provider_errors_total{provider="openai",error="down"}')
  expect(text).toContain('jobs_failed_total{job="clean-files"}')
  expect(await sample('recovered_total{kind="answer"}')).toBeGreaterThanOrEqual(3)
})

test('failures of mail and storage are counted and still thrown (S10.273)', async () => {
  const fail = () => Promise.reject(new Error('no'))
  const mail = watchMail(fail)
  const storage = watchStorage({
    ...{ put: fail, read: fail, delete: fail, list: failingList },
    ...{ readOwner: fail, writeOwner: fail },
  })
  const before = (await sample('emails_failed_total')) ?? 0
  await expect(mail({ to: '', subject: '', text: '', html: '' })).rejects.toThrow('no')
  await expect(storage.put('files/a', new Uint8Array(), '')).rejects.toThrow('no')
  await expect(storage.list('files')[Symbol.asyncIterator]().next()).rejects.toThrow('no')
  expect(((await sample('emails_failed_total')) ?? 0) - before).toBe(1)
  expect(await sample('storage_errors_total{operation="put"}')).toBeGreaterThanOrEqual(1)
  expect(await sample('storage_errors_total{operation="list"}')).toBeGreaterThanOrEqual(1)
})

test('a rejected recipient does not mean that the mail server is down (S10.273)', async () => {
  const state = createServiceState('mail')
  const failing = (code: string) =>
    watchMail(
      () => Promise.reject(Object.assign(new Error('no'), { code })),
      state,
    )({
      ...{ to: '', subject: '', text: '', html: '' },
    }).catch(() => {})
  await failing('EENVELOPE')
  expect(state.isUp()).toBe(true)
  await failing('ECONNECTION')
  expect(state.isUp()).toBe(false)
})

test('a storage that does not name its owner in time is down', async () => {
  const state = createServiceState('storage')
  const never = () => new Promise<never>(() => {})
  const storage = watchStorage(
    { ...{ put: never, read: never, delete: never, list: failingList }, ...{ readOwner: never, writeOwner: never } },
    state,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reading = expect(storage.readOwner()).rejects.toThrow('no answer')
  await vi.advanceTimersByTimeAsync(10_000)
  await reading
  expect(state.isUp()).toBe(false)
})

test('any success ends an outage, a full disk needs the same call (S10.273)', async () => {
  const state = createServiceState('storage')
  let error: Error | null = new StorageError('fetch failed')
  const call = async () => {
    if (error) throw error
  }
  const good = async () => null
  const storage = watchStorage(
    { ...{ put: call, read: good, delete: call, list: failingList }, ...{ readOwner: good, writeOwner: call } },
    state,
  )
  const put = () => storage.put('files/a', new Uint8Array(), '').catch(() => {})
  await put()
  expect(state.isUp()).toBe(false)
  await storage.readOwner()
  expect(state.isUp()).toBe(true)
  error = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  await put()
  await storage.readOwner()
  expect(state.isUp()).toBe(false)
  error = null
  await put()
  expect(state.isUp()).toBe(true)
})

async function* failingList() {
  yield* await Promise.reject<{ key: string; at: Date }[]>(new Error('no'))
}

test('gauges are read at the scrape, and missing sources give no sample', async () => {
  // A server of an earlier test may have provided this gauge.
  provideGauges({ breaker_open: undefined })
  expect(await sample('breaker_open')).toBeUndefined()
  let open = 2
  provideGauges({ breaker_open: () => open })
  expect(await sample('breaker_open')).toBe(2)
  open = 0
  expect(await sample('breaker_open')).toBe(0)
})

test('database figures are asked once per 15 s, without delaying a scrape (S10.272)', async () => {
  let queries = 0
  provideDatabaseGauges(async () => {
    queries += 1
    return { holds_stale: 4 }
  })
  await Promise.all([shown(), shown(), shown()])
  expect(await sample('holds_stale')).toBe(4)
  expect(queries).toBe(1)
  provideDatabaseGauges(() => new Promise(() => {}))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const scraped = sample('holds_stale')
  await vi.advanceTimersByTimeAsync(1000)
  expect(await scraped).toBeUndefined()
})

test('every figure that needs the database can be asked of it (S10.272)', async () => {
  const figures = await databaseGauges(app.db)
  expect(figures).toMatchObject({
    ...{ holds_active: 0, holds_active_symbols: 0, holds_oldest_seconds: 0, holds_stale: 0 },
    ...{ messages_streaming_stale: 0, payment_events_odd: 0, payment_events_oldest_seconds: 0 },
    ...{ gateway_unanswered: 0, emails_waiting: 0, emails_oldest_seconds: 0, instances_alive: 1 },
  })
})
