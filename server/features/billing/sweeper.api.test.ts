import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { holds, ledger } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { reconcile } from './invariants.ts'
import { balanceOf, extend, grant, hold, setDailyCap, settle } from './ledger.ts'
import { expireGrants, sweepHolds } from './sweeper.ts'

const app = await testApp({ startSymbols: 1000 })
afterEach(async () => expect(await reconcile(app.db)).toEqual([]))

const inMinutes = (n: number) => new Date(Date.now() + n * 60_000)
const order = (key: string, userId: string, leaseUntil = inMinutes(1)) =>
  ({ key, userId, kind: 'answer', symbols: 300, leaseUntil }) as const

test('a settlement charges what was used and frees the hold’s rest (S10.9, S10.10, S10.13)', async () => {
  const { user } = await app.signIn()
  expect(await hold(app.db, order('answer-1', user.id))).toBe('held')
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 700, held: 300 })
  expect(await extend(app.db, 'answer-1', 500)).toBe('held')
  const details = { modelId: 'demo', input: 100, output: 250, inputRate: 1, outputRate: 1 }
  expect(await settle(app.db, 'answer-1', 350, details)).toBe('done')
  expect(await settle(app.db, 'answer-1', 350, details)).toBe('repeated')
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 650, held: 0, spentToday: 350 })
  const [entry] = await app.db.select().from(ledger).where(eq(ledger.key, 'hold:answer-1'))
  expect(entry).toMatchObject({
    kind: 'answer',
    symbols: -350,
    balanceAfter: 650,
    input: 100,
    output: 250,
    modelId: 'demo',
  })
})

test('a hold beyond the balance is short, and its repeat changes nothing (S10.10, S10.26)', async () => {
  const { user } = await app.signIn()
  expect(await hold(app.db, { ...order('answer-2', user.id), symbols: 1001 })).toBe('short')
  expect(await hold(app.db, order('answer-2', user.id))).toBe('held')
  expect(await hold(app.db, order('answer-2', user.id))).toBe('repeated')
  expect((await balanceOf(app.db, user.id)).held).toBe(300)
})

test('the daily cap of the user limits what the balance would allow (S10.46)', async () => {
  const { user } = await app.signIn()
  await setDailyCap(app.db, user.id, 400)
  expect(await hold(app.db, order('capped-1', user.id))).toBe('held')
  expect(await hold(app.db, order('capped-2', user.id))).toBe('cap')
  await settle(app.db, 'capped-1', 300, {})
  expect(await hold(app.db, { ...order('capped-3', user.id), symbols: 100 })).toBe('held')
  const tomorrow = new Date(Date.now() + 86_400_000)
  await settle(app.db, 'capped-3', 100, {})
  expect(await hold(app.db, order('capped-4', user.id, new Date(Date.now() + 172_800_000)), tomorrow)).toBe('held')
})

const sweep = () => ({ db: app.db, onChanged: () => {}, onError: (error: unknown) => expect(error).toBeNull() })

test('parallel sweeps release only holds of stopped processes, once (S10.15)', async () => {
  const { user } = await app.signIn()
  const { id: instance } = await registerInstance(app.db)
  await hold(app.db, { ...order('lost', user.id), instance: 'dead' })
  await hold(app.db, { ...order('running', user.id), instance })
  await Promise.all([sweepHolds(sweep()), sweepHolds(sweep()), sweepHolds(sweep())])
  const states = await app.db
    .select({ key: holds.key, state: holds.state })
    .from(holds)
    .where(eq(holds.userId, user.id))
  expect(states).toEqual(
    expect.arrayContaining([
      { key: 'lost', state: 'released' },
      { key: 'running', state: 'active' },
    ]),
  )
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 700, held: 300 })
  await settle(app.db, 'running', 0, {})
})

test('a hold that was forgotten is released a day later', async () => {
  const { user } = await app.signIn()
  await hold(app.db, { ...order('forgotten', user.id, inMinutes(-1)), instance: app.instance.id })
  expect(await sweepHolds(sweep())).toBe(1)
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 1000, held: 0 })
})

test('a locked balance does not delay other balances', async () => {
  const { user } = await app.signIn()
  const bad = await app.signIn()
  for (const { id } of [bad.user, user]) await hold(app.db, { ...order(`of:${id}`, id), instance: 'dead' })
  await app.db.execute(
    sql`alter table balances add constraint stuck check (user_id <> ${sql.raw(`'${bad.user.id}'`)} or held > 0) not valid`,
  )
  const errors: unknown[] = []
  expect(await sweepHolds({ ...sweep(), onError: (error) => errors.push(error) })).toBe(1)
  expect(errors).toHaveLength(1)
  expect((await balanceOf(app.db, user.id)).held).toBe(0)
  await app.db.execute(sql`alter table balances drop constraint stuck`)
  expect(await sweepHolds(sweep())).toBe(1)
})

test('plan symbols run out with their period; spending takes what expires first (S10.5)', async () => {
  const { user } = await app.signIn()
  await grant(app.db, { key: 'soon', userId: user.id, kind: 'promo', symbols: 500, expiresAt: inMinutes(5) })
  await hold(app.db, order('early', user.id))
  await settle(app.db, 'early', 300, {})
  expect((await balanceOf(app.db, user.id)).availableTokens).toBe(1200)
  const later = inMinutes(10)
  expect((await balanceOf(app.db, user.id, later)).availableTokens).toBe(1000)
  expect(await expireGrants(sweep(), later)).toBe(1)
  const [entry] = await app.db.select().from(ledger).where(eq(ledger.userId, user.id)).orderBy(ledger.id).offset(3)
  expect(entry).toMatchObject({ kind: 'expiry', symbols: -200, balanceAfter: 1000 })
})

test('an answer that runs when its symbols expire still uses them (S10.17)', async () => {
  const { user } = await app.signIn()
  await grant(app.db, { key: 'expiring', userId: user.id, kind: 'promo', symbols: 200, expiresAt: inMinutes(5) })
  await hold(app.db, order('across', user.id, inMinutes(60)))
  const later = inMinutes(10)
  await expireGrants(sweep(), later)
  await settle(app.db, 'across', 250, {}, later)
  expect(await balanceOf(app.db, user.id, later)).toMatchObject({ availableTokens: 950, held: 0 })
})

test('ledger entries cannot be changed or deleted (S10.31)', async () => {
  await expect(app.db.update(ledger).set({ symbols: 5 })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('append-only') },
  })
  await expect(app.db.delete(ledger)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('append-only') },
  })
  await expect(app.db.execute(sql`truncate ledger cascade`)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('append-only') },
  })
})
