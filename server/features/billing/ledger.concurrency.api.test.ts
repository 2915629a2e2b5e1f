import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { holds, ledger } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { endInstance } from '#server/testing/instance.ts'
import { reconcile } from './invariants.ts'
import { balanceOf, grant, hold, settle, spend } from './ledger.ts'
import { sweepHolds } from './sweeper.ts'

/** Parallel calls. The embedded database queues them; on Postgres they run at the same time. */

const app = await testApp({ startSymbols: 200 })
afterEach(async () => expect(await reconcile(app.db)).toEqual([]))

const leaseUntil = () => new Date(Date.now() + 60_000)
const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

test('200 parallel sends against a balance for two deliver exactly two (S10.9, S10.10)', async () => {
  const { user } = await app.signIn()
  const delivered = await times(200, async (i) => {
    const key = `race:${i}`
    const outcome = await hold(app.db, {
      key,
      userId: user.id,
      kind: 'answer',
      symbols: 100,
      leaseUntil: leaseUntil(),
    })
    if (outcome !== 'held') return 0
    await settle(app.db, key, 100, {})
    return 1
  })
  expect(delivered.reduce<number>((sum, n) => sum + n, 0)).toBe(2)
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 0, held: 0 })
})

test('hundreds of parallel holds, spends and gifts keep an account consistent (S10.35)', async () => {
  const { user } = await app.signIn()
  await grant(app.db, { key: `big:${user.id}`, userId: user.id, kind: 'gift', symbols: 100_000 })
  await times(300, async (i) => {
    const key = `hot:${i}`
    if (i % 5 === 0) return grant(app.db, { key, userId: user.id, kind: 'gift', symbols: 7 })
    if (i % 5 === 1) return spend(app.db, { key, userId: user.id, kind: 'balance', symbols: 3 })
    await hold(app.db, { key, userId: user.id, kind: 'answer', symbols: 50, leaseUntil: leaseUntil() })
    return settle(app.db, key, i % 3 === 0 ? 0 : 20, {})
  })
  const settled = Array.from({ length: 300 }, (_, i) => i).filter((i) => i % 5 > 1 && i % 3 !== 0).length
  const expected = 200 + 100_000 + 60 * 7 - 60 * 3 - settled * 20
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: expected, held: 0 })
})

test('a settlement requested fifty times at once charges once (S10.13, S10.26)', async () => {
  const { user } = await app.signIn()
  await hold(app.db, { key: 'once', userId: user.id, kind: 'answer', symbols: 100, leaseUntil: leaseUntil() })
  const outcomes = await times(50, () => settle(app.db, 'once', 80, {}))
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect((await balanceOf(app.db, user.id)).availableTokens).toBe(120)
})

test('kill -9 between hold and settle releases the hold once (S10.15)', async (context) => {
  const url = app.url
  if (!url) return context.skip()
  const { user } = await app.signIn()
  const victim = spawn(process.execPath, [
    '--import',
    'tsx',
    'server/features/billing/testing/hold-and-hang.ts',
    url,
    user.id,
  ])
  await once(victim.stdout, 'data')
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 50, held: 150 })
  victim.kill('SIGKILL')
  await once(victim, 'exit')

  const sweep = { db: app.db, onChanged: () => {}, onError: (error: unknown) => expect(error).toBeNull() }
  await sweepHolds(sweep)
  expect((await balanceOf(app.db, user.id)).held).toBe(150)
  const [held] = await app.db.select().from(holds).where(eq(holds.key, 'victim'))
  await endInstance(app.db, held?.instance ?? '')
  await times(5, () => sweepHolds(sweep))
  expect(await balanceOf(app.db, user.id)).toMatchObject({ availableTokens: 200, held: 0 })
  expect(await app.db.select().from(ledger).where(eq(ledger.key, 'hold:victim'))).toHaveLength(0)
  expect(await app.db.select().from(holds).where(eq(holds.key, 'victim'))).toMatchObject([{ state: 'released' }])
})
