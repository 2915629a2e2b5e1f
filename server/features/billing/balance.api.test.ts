import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { usersApi } from '#contract/users.ts'
import { events, grants, ledger, models } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { reconcile } from './invariants.ts'
import { grant, hold, settle } from './ledger.ts'

const published: string[] = []
const app = await testApp({
  startSymbols: 0,
  deps: { publish: (userId, { topic }) => published.push(`${topic} ${userId}`) },
})
await app.db.insert(models).values([
  { id: 'dear', name: 'Дорогая', provider: 'demo', providerModel: 'dear', inputRate: 2.5, outputRate: 7 },
  { id: 'tenth', name: 'Дешёвая', provider: 'demo', providerModel: 'tenth', inputRate: 0.1 },
  { id: 'huge', name: 'Огромная', provider: 'demo', providerModel: 'huge', inputRate: 1e9 },
  { id: 'hidden', name: 'Скрытая', provider: 'demo', providerModel: 'hidden', hidden: true },
])
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

async function withSymbols(symbols: number): Promise<SignedIn> {
  const person = await app.signIn()
  await grant(app.db, { userId: person.user.id, kind: 'gift', symbols, key: `test:${person.user.id}` })
  return person
}
const entriesOf = ({ user }: SignedIn) =>
  app.db.select().from(ledger).where(eq(ledger.userId, user.id)).orderBy(ledger.id)

test('the call spends amount × rate and writes a single entry (S10.40)', async () => {
  const anna = await withSymbols(1000)
  const { SingleSubscription } = await anna.call(billingApi.spend, { body: { amount: 101, modelId: 'dear' } })
  expect(SingleSubscription).toMatchObject({ availableTokens: 747, active: true, spentToday: 253 })
  expect((await entriesOf(anna)).slice(1)).toMatchObject([
    { kind: 'balance', symbols: -253, balanceAfter: 747, modelId: 'dear', input: 101, output: 0, inputRate: 2.5 },
  ])
  expect(published).toContain(`profile ${anna.user.id}`)
})

test('a rate of a tenth rounds exactly: 30 × 0.1 is 3 (S10.2)', async () => {
  const anna = await withSymbols(10)
  const { SingleSubscription } = await anna.call(billingApi.spend, { body: { amount: 30, modelId: 'tenth' } })
  expect(SingleSubscription.availableTokens).toBe(7)
})

test('a spend goes down to zero at most, whatever the amount (S10.9, S10.40)', async () => {
  const anna = await withSymbols(100)
  for (const amount of [Number.MAX_SAFE_INTEGER, 1]) {
    const { SingleSubscription } = await anna.call(billingApi.spend, { body: { amount, modelId: 'huge' } })
    expect(SingleSubscription).toMatchObject({ availableTokens: 0, active: false })
  }
  expect((await entriesOf(anna)).map(({ symbols }) => symbols)).toEqual([100, -100])
})

test('an amount of 0 writes nothing (S10.40)', async () => {
  const anna = await withSymbols(5)
  await anna.call(billingApi.spend, { body: { amount: 0, modelId: 'demo' } })
  expect(await entriesOf(anna)).toHaveLength(1)
})

test('an amount that is not a whole number from 0 is 400 (S10.40)', async () => {
  const anna = await withSymbols(5)
  for (const amount of [-1, 1.5, '5', null, 1e300]) {
    const refused = anna.call(billingApi.spend, { body: { amount: amount as number, modelId: 'demo' } })
    await expect(refused).rejects.toMatchObject({ status: 400, field: 'amount' })
  }
  expect(await entriesOf(anna)).toHaveLength(1)
})

test('a model hidden from the caller is 404, but not for admins', async () => {
  const anna = await withSymbols(5)
  for (const modelId of ['hidden', 'no-such-model']) {
    const refused = anna.call(billingApi.spend, { body: { amount: 1, modelId } })
    await expect(refused).rejects.toMatchObject({ status: 404 })
  }
  const owner = await app.signIn('owner@example.test')
  await owner.call(billingApi.spend, { body: { amount: 1, modelId: 'hidden' } })
})

test('twenty parallel spends never pass zero and the entries add up (S10.40)', async () => {
  const anna = await withSymbols(95)
  await Promise.all(
    Array.from({ length: 20 }, () => anna.call(billingApi.spend, { body: { amount: 10, modelId: 'demo' } })),
  )
  const spent = (await entriesOf(anna)).slice(1).map(({ symbols }) => -symbols)
  expect(spent).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 5])
})

test('«Подписка закончилась» is recorded once for each end of a balance (S4.1)', async () => {
  const anna = await withSymbols(10)
  const userId = anna.user.id
  const ends = async () => {
    const recorded = await app.db.select().from(events).where(eq(events.userId, userId))
    return recorded.filter(({ event }) => event === 'Подписка закончилась').length
  }
  const spendAll = () => anna.call(billingApi.spend, { body: { amount: 50, modelId: 'demo' } })
  await Promise.all([spendAll(), spendAll(), spendAll()])
  expect(await ends()).toBe(1)
  await grant(app.db, { userId, kind: 'gift', symbols: 10, key: `again:${userId}` })
  expect(await ends()).toBe(1)
  const leaseUntil = new Date(Date.now() + 60_000)
  await hold(app.db, { key: `answer:${userId}`, userId, kind: 'answer', symbols: 10, leaseUntil })
  await settle(app.db, `answer:${userId}`, 10, {})
  await spendAll()
  expect(await ends()).toBe(2)
})

test('a daily cap is set and removed, also before the first grant (S10.46)', async () => {
  const anna = await app.signIn()
  const set = await anna.call(billingApi.setDailyCap, { body: { dailyCap: 500 } })
  expect(set.SingleSubscription.dailyCap).toBe(500)
  const { SingleSubscription } = await anna.call(usersApi.me, {})
  expect(SingleSubscription.dailyCap).toBe(500)
  const off = await anna.call(billingApi.setDailyCap, { body: { dailyCap: null } })
  expect(off.SingleSubscription.dailyCap).toBeNull()
  expect(published.filter((line) => line === `profile ${anna.user.id}`)).toHaveLength(2)
  for (const dailyCap of [0, -5, 1.5]) {
    const refused = anna.call(billingApi.setDailyCap, { body: { dailyCap } })
    await expect(refused).rejects.toMatchObject({ status: 400, field: 'dailyCap' })
  }
})

test('the list has the caller’s valid grants in spending order (S10.5)', async () => {
  const anna = await withSymbols(100)
  const userId = anna.user.id
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await grant(app.db, { key: `b:${userId}`, userId, kind: 'promo', symbols: 30, expiresAt: inDays(20) })
  await grant(app.db, { key: `c:${userId}`, userId, kind: 'refund', symbols: 10, expiresAt: inDays(2), note: 'сбой' })
  await grant(app.db, { key: `d:${userId}`, userId, kind: 'gift', symbols: 7, expiresAt: inDays(1) })
  await grant(app.db, { key: `e:${userId}`, userId, kind: 'gift', symbols: 9, expiresAt: inDays(3) })
  await anna.call(billingApi.spend, { body: { amount: 8, modelId: 'demo' } })
  await app.db
    .update(grants)
    .set({ expiresAt: inDays(-1) })
    .where(sql`${grants.userId} = ${userId} and ${grants.symbols} = 9`)
  expect(await anna.call(billingApi.grants, {})).toMatchObject([
    { kind: 'refund', symbols: 10, remaining: 9, note: 'сбой' },
    { kind: 'promo', remaining: 30 },
    { kind: 'gift', remaining: 100, expiresAt: null },
  ])
  const boris = await app.signIn()
  expect(await boris.call(billingApi.grants, {})).toEqual([])
})
