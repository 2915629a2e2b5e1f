import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { api } from '#contract/api.ts'
import { assistantsApi } from '#contract/assistants.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { imagesApi } from '#contract/images.ts'
import { limitsApi } from '#contract/limits.ts'
import { paymentsApi } from '#contract/payments.ts'
import { promptsApi } from '#contract/prompts.ts'
import { threadsApi } from '#contract/threads.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { translateApi } from '#contract/translate.ts'
import { usersApi } from '#contract/users.ts'
import { readLimits } from '#server/http/limit-settings.ts'
import { type LimitName, limitTable } from '#server/http/limit-table.ts'
import type { Limits } from '#server/http/limits.ts'
import { registry } from '#server/http/metrics.ts'
import { memoryLimits, startTestApp, type TestApp } from '#server/testing/app.ts'
import type { Visitor } from '#server/testing/visitor.ts'

const noId = (path: string) =>
  fillPath(path, Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'no-such-id'])))

/** A malformed request does not count towards some limits. */
const bodies: Record<string, object> = {
  [threadsApi.fork.path]: { messageId: 'no-such-id' },
  [assistantsApi.create.path]: { name: 'Ассистент' },
}

const ask = (visitor: Visitor, { method, path }: { method: string; path: string }) =>
  visitor.fetch(noId(path), {
    method,
    ...(method === 'GET'
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(bodies[path] ?? {}) }),
  })

describe('every call that writes is limited', () => {
  const writes = Object.values(api)
    .flatMap((section) => Object.values(section))
    .filter(({ method }) => method !== 'GET')
    .map((call) => [`${call.method} ${call.path}`, call] as const)
  let app: TestApp
  let counted: [name: string, key: string][] = []
  let people: Record<Endpoint['who'], Visitor>
  beforeAll(async () => {
    const limits: Limits = async (name, key) => void counted.push([name, key])
    app = await startTestApp({ deps: { limits } })
    people = {
      anyone: app.visitor(),
      key: app.visitor(),
      user: await app.signIn(),
      admin: await app.signIn('owner@example.test'),
    }
  })
  beforeEach(() => {
    counted = []
  })
  afterAll(() => app.close())

  test.each(writes)('%s', async (_, call) => {
    // Some sign-in calls end the session.
    const visitor = call.who === 'user' && call.path.startsWith('/api/auth/') ? await app.signIn() : people[call.who]
    counted = []
    await ask(visitor, call)
    const own = counted.filter(([name]) => name !== 'api')
    expect(own).not.toEqual([])
    // A signed-in user is counted by id, not by IP address.
    if (call.who !== 'anyone') expect(own.some(([, key]) => key !== '127.0.0.1')).toBe(true)
  })
})

test('calls that are free for users but cost money have limits', () => {
  expect(limitTable).toMatchObject({
    sends: { points: 30, seconds: 60 },
    heavy: { points: 30, seconds: 3600 },
    money: { points: 30, seconds: 600 },
    emails: { points: 6, seconds: 600 },
    'password-address': { points: 10, seconds: 900 },
    'password-user': { points: 5, seconds: 900 },
  })
})

describe('a user is limited by', () => {
  const FEW = 3
  let app: TestApp
  beforeAll(async () => {
    const rows = readLimits().settings.rows
    for (const name of new Set(free.map(([each]) => each))) rows[name] = { ...rows[name], points: FEW }
    app = await startTestApp({ deps: { limits: memoryLimits(rows) } })
  })
  afterAll(() => app.close())

  const free: [LimitName, { method: string; path: string }][] = [
    ['sends', answersApi.send],
    ['sends', answersApi.regenerate],
    ['writes', threadsApi.editMessage],
    ['writes', threadsApi.create],
    ['writes', threadsApi.deleteMessage],
    ['writes', promptsApi.create],
    ['writes', promptsApi.duplicate],
    ['writes', promptsApi.use],
    ['lists', threadsApi.list],
    ['heavy', threadsApi.fork],
    ['heavy', threadsApi.share],
    ['heavy', threadsApi.rename],
    ['heavy', promptsApi.share],
    ['heavy', assistantsApi.create],
    ['heavy', { method: 'GET', path: usersApi.export.path }],
    ['uploads', assistantsApi.retryFile],
    ['models', imagesApi.create],
    ['models', translateApi.translate],
    ['money', paymentsApi.consent],
    ['money', paymentsApi.subscriptionUrl],
    ['money', paymentsApi.bundleUrl],
    ['money', transactionsApi.dispute],
    ['downloads', { method: 'GET', path: transactionsApi.csv.path }],
  ]

  test.each(free)('%s, and reads when it ends', async (name, call) => {
    const anna = await app.signIn()
    const { rejection } = { rejection: 'Слишком много попыток.', ...limitTable[name] }
    for (let i = 0; i < FEW; i++) expect((await ask(anna, call)).status).not.toBe(429)
    const refused = await ask(anna, call)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const { message } = (await refused.json()) as { message: string }
    expect(message).toContain(rejection)
    expect(message).toMatch(/(через \d+ (с|мин)|после \d\d:\d\d по Москве)\.$/)
    expect((await ask(await app.signIn(), call)).status).not.toBe(429)
  })
})

test('calls that share a limit do not stop messages, payments or others', async () => {
  const { rows } = readLimits('writes=2/60, heavy=2/3600, lists=2/60, models=2/60, downloads=2/600').settings
  const app = await startTestApp({ deps: { limits: memoryLimits(rows) } })
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  for (const call of [threadsApi.deleteMessage, threadsApi.fork, threadsApi.list, translateApi.translate])
    for (let i = 0; i < 3; i++) await ask(anna, call)
  expect((await ask(anna, threadsApi.fork)).status).toBe(429)
  for (const vital of [answersApi.send, paymentsApi.consent, usersApi.me])
    expect((await ask(anna, vital)).status).not.toBe(429)
  for (const call of [threadsApi.fork, threadsApi.list]) expect((await ask(boris, call)).status).not.toBe(429)
  await app.close()
})

describe('the screen of limits', () => {
  test('shows the current limits, changed limits and the number of rejections', async () => {
    const { settings } = readLimits('heavy=1/3600, stored-prompts=7')
    const limits = memoryLimits(settings.rows)
    const app = await startTestApp({ deps: { limits }, settings: { limits: settings } })
    const owner = await app.signIn('owner@example.test')
    const before = await owner.call(limitsApi.list, {})
    const anna = await app.signIn()
    for (let i = 0; i < 3; i++) await ask(anna, threadsApi.fork)
    const { rates, totals, rules } = await owner.call(limitsApi.list, {})
    const refusedBefore = before.rates.find(({ name }) => name === 'heavy')?.refused.day ?? 0
    expect(rates).toHaveLength(Object.keys(limitTable).length)
    expect(rates.find(({ name }) => name === 'heavy')).toMatchObject({
      per: 'user',
      points: 1,
      seconds: 3600,
      usual: { points: 30, seconds: 3600 },
      refused: { day: refusedBefore + 2 },
    })
    expect(rates.find(({ name }) => name === 'sends')).toMatchObject({ points: 30, usual: null, isLocal: true })
    expect(totals.find(({ name }) => name === 'stored-prompts')).toMatchObject({ most: 7, usual: 2000 })
    expect(rules.find(({ name }) => name === 'free-stops')).toMatchObject({ most: 3, setting: null })
    expect((await ask(anna, limitsApi.list)).status).toBe(403)
    expect(await registry.getSingleMetricAsString('limit_rejections_total')).toMatch(/\{limit="heavy"\} ([2-9]|\d\d)/)
    await app.close()
  })
})
