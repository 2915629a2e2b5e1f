import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { auditLog, ledger } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { reconcile } from './invariants.ts'
import { hold, release, withdraw } from './ledger.ts'

const published: string[] = []
const app = await testApp({
  startSymbols: 0,
  deps: { publish: (userId, { topic }) => published.push(`${topic} ${userId}`) },
})
const owner = await app.signIn('owner@example.test')
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

const give = (id: string, symbols: number, reason = 'спасибо') =>
  owner.call(billingApi.gift, { params: { id }, body: { symbols, reason } })

test('a gift adds symbols, and the user gets its reason and event (S1.29, S10.1457)', async () => {
  const anna = await app.signIn()
  expect(await give(anna.user.id, 300, ' за терпение ')).toMatchObject({
    id: anna.user.id,
    SingleSubscription: { availableTokens: 300, active: true },
  })
  expect(await anna.call(billingApi.grants, {})).toMatchObject([{ kind: 'gift', symbols: 300, note: 'за терпение' }])
  expect(published).toEqual([`profile ${anna.user.id}`])
  await app.sendEmails()
  const [email] = app.outbox.filter(({ to }) => to === anna.user.email)
  expect(email?.subject).toBe('Подарок: 300 символов')
  expect(email?.text).toContain('За что: за терпение')
})

test('a negative gift takes at most free symbols and is not spending', async () => {
  const anna = await app.signIn()
  const userId = anna.user.id
  await give(userId, 100)
  const leaseUntil = new Date(Date.now() + 60_000)
  await hold(app.db, { key: `hold:${userId}`, userId, kind: 'answer', symbols: 40, leaseUntil })
  expect((await give(userId, -1000, 'ошибка')).SingleSubscription).toMatchObject({
    availableTokens: 0,
    held: 40,
    active: false,
    spentToday: 0,
  })
  await release(app.db, `hold:${userId}`)
  expect((await give(userId, -30)).SingleSubscription.availableTokens).toBe(10)
  const entries = await app.db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(ledger.id)
  expect(entries.map(({ kind, symbols, note }) => [kind, symbols, note])).toEqual([
    ['gift', 100, 'спасибо'],
    ['take_back', -60, 'ошибка'],
    ['take_back', -30, 'спасибо'],
  ])
})

test('taking from an empty balance writes nothing; repeats withdraw once', async () => {
  const anna = await app.signIn()
  const userId = anna.user.id
  expect((await give(userId, -5)).SingleSubscription.availableTokens).toBe(0)
  expect(await app.db.select().from(ledger).where(eq(ledger.userId, userId))).toEqual([])
  await give(userId, 10)
  const order = { key: `once:${userId}`, userId, symbols: 4, note: 'раз' }
  const taken = await Promise.all([1, 2, 3].map(() => withdraw(app.db, order)))
  expect(taken).toEqual([4, 4, 4])
  expect(await anna.call(billingApi.grants, {})).toMatchObject([{ remaining: 6 }])
})

test('two admins with the same key give once, with an audit entry', async () => {
  const anna = await app.signIn()
  const id = anna.user.id
  const second = await app.signIn('owner@example.test')
  const order = { params: { id }, body: { symbols: 70, reason: 'за ошибку', key: 'same-key-1' } }
  const answers = await Promise.all([owner, second, owner].map((admin) => admin.call(billingApi.gift, order)))
  expect(answers.map(({ SingleSubscription }) => SingleSubscription.availableTokens)).toEqual([70, 70, 70])
  const take = { params: { id }, body: { symbols: -50, reason: 'лишнее', key: 'same-key-2' } }
  await Promise.all([owner, second].map((admin) => admin.call(billingApi.gift, take)))
  expect(await anna.call(billingApi.grants, {})).toMatchObject([{ remaining: 20 }])
  const noted = await app.db
    .select({ action: auditLog.action, after: auditLog.after, note: auditLog.note })
    .from(auditLog)
    .where(and(eq(auditLog.target, id), eq(auditLog.kind, 'user')))
    .orderBy(auditLog.id)
  expect(noted).toEqual([
    { action: 'user.gift', after: { symbols: 70 }, note: 'за ошибку' },
    { action: 'user.take', after: { symbols: 50 }, note: 'лишнее' },
  ])
})

test('a key is per user, and parallel withdrawals stop at zero', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  for (const { user } of [anna, boris]) {
    const body = { symbols: 100, reason: 'всем', key: 'for-everybody' }
    await owner.call(billingApi.gift, { params: { id: user.id }, body })
  }
  await Promise.all([1, 2, 3, 4].map(() => give(anna.user.id, -40)))
  expect(await anna.call(billingApi.grants, {})).toEqual([])
  expect(await boris.call(billingApi.grants, {})).toMatchObject([{ remaining: 100 }])
})

test('a gift needs an admin, a known user, an amount and reason', async () => {
  const anna = await app.signIn()
  const own = anna.call(billingApi.gift, { params: { id: anna.user.id }, body: { symbols: 5, reason: 'себе' } })
  await expect(own).rejects.toMatchObject({ status: 403 })
  await expect(give('no-such-user', 5)).rejects.toMatchObject({ status: 404 })
  await expect(give(anna.user.id, 0)).rejects.toMatchObject({ status: 400, field: 'symbols' })
  await expect(give(anna.user.id, 0.5)).rejects.toMatchObject({ status: 400, field: 'symbols' })
  await expect(give(anna.user.id, 5, '  ')).rejects.toMatchObject({ status: 400, field: 'reason' })
})
