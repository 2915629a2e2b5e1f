import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statisticsApi } from '#contract/statistics.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { apiKeys, ledger, messages, threads } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { checkNewEntries } from '../statistics/notes.ts'
import { reconcile } from './invariants.ts'
import { grant, hold, settle } from './ledger.ts'

const app = await testApp({ startSymbols: 1000 })

/** As if no entry was checked before: the rules for new entries apply to all of them. */
const fromStart = { entryId: 0, at: new Date(0) }

/** Breaks rows by direct SQL, reconciles in both ways, and restores them. */
async function after(damage: string, repair: string) {
  await app.db.execute(sql.raw(damage))
  const problems = await reconcile(app.db)
  expect(await reconcile(app.db, fromStart)).toEqual(problems)
  await app.db.execute(sql.raw(repair))
  expect(await reconcile(app.db)).toEqual([])
  expect(await reconcile(app.db, fromStart)).toEqual([])
  return problems
}

test('a check of new entries builds on the previous check', async () => {
  const { user } = await app.signIn()
  const entry = (amount: number, balance: number, key: string) => sql`
    insert into ledger (user_id, key, kind, symbols, balance_after, parts, created_at)
    values (${user.id}, ${key}, 'gift', ${amount}, ${balance}, '[]', now()) returning id`
  const [first] = await rowsOf(app.db, entry(5, 1005, 'first'), z.object({ id: z.coerce.number() }))
  const rules = async (entryId: number) =>
    (await reconcile(app.db, { entryId, at: new Date(0) }))
      .filter(({ userId }) => userId === user.id)
      .map(({ rule }) => rule)
  const unexplained = ['the ledger adds up to the grants and to the balance', 'every entry is explained by grants']
  expect(await rules((first?.id ?? 0) - 1)).toEqual(unexplained)
  // The entry itself was checked, but the last balance is compared every time.
  expect(await rules(first?.id ?? 0)).toEqual(unexplained.slice(0, 1))
  await app.db.execute(entry(5, 1011, 'second'))
  expect(await rules(first?.id ?? 0)).toContain('every entry says the balance after it')
  await app.db.execute(sql`alter table ledger disable trigger user`)
  await app.db.execute(sql`delete from ledger where key in ('first', 'second')`)
  await app.db.execute(sql`alter table ledger enable trigger user`)
  expect(await reconcile(app.db)).toEqual([])
})

test('a changed balance is found, with the figures (S10.37)', async () => {
  const { user } = await app.signIn()
  const problems = await after(
    `update balances set total = total + 5 where user_id = '${user.id}'`,
    `update balances set total = total - 5 where user_id = '${user.id}'`,
  )
  expect(problems).toEqual([
    {
      rule: 'the ledger adds up to the grants and to the balance',
      userId: user.id,
      details: 'ledger 1000, grants 1000, balance 1005',
    },
  ])
})

test('a grant that lost symbols without an entry is found', async () => {
  const { user } = await app.signIn()
  const problems = await after(
    `update grants set remaining = remaining - 1 where user_id = '${user.id}'`,
    `update grants set remaining = remaining + 1 where user_id = '${user.id}'`,
  )
  expect(problems).toMatchObject([{ userId: user.id, details: 'ledger 1000, grants 999, balance 1000' }])
})

test('a hold outside the balance and an expired hold are found', async () => {
  const { user } = await app.signIn()
  const order = { key: 'lost', userId: user.id, kind: 'answer', symbols: 10, leaseUntil: new Date() } as const
  await hold(app.db, order)
  const wrong = await after(
    `update balances set held = 0 where user_id = '${user.id}'`,
    `update balances set held = 10 where user_id = '${user.id}'`,
  )
  expect(wrong).toMatchObject([{ rule: 'what is held is the sum of the running holds', userId: user.id }])
  const late = await after(
    `update holds set lease_until = now() - interval '1 hour' where key = 'lost'`,
    `update holds set lease_until = now() where key = 'lost'`,
  )
  expect(late).toMatchObject([{ rule: 'no hold outlives its work', userId: user.id }])
})

test('counters of a key that differ from the ledger are found (S10.983)', async () => {
  const { user } = await app.signIn()
  const [id, now] = ['key-of-damage', new Date('2026-10-31T20:00:00Z')]
  await app.db.insert(apiKeys).values({ id, userId: user.id, name: 'n8n', hash: id, prefix: 'sym-', lastFour: 'abcd' })
  for (const [n, day] of [-2, 0, 1].entries()) {
    const at = new Date(now.getTime() + day * 86_400_000)
    const order = { key: `k${n}`, userId: user.id, kind: 'answer', symbols: 10 + n, apiKeyId: id } as const
    await hold(app.db, { ...order, instance: app.instance.id }, at)
    await settle(app.db, order.key, 10 + n, {}, at)
  }
  const [key] = await app.db.select().from(apiKeys).where(eq(apiKeys.id, id))
  expect(key).toMatchObject({ spentDay: '2026-11-01', spentToday: 12, spentMonth: 12 })
  const rule = { rule: 'a key has spent what the ledger says', userId: user.id }
  const wrong = await after(
    `update api_keys set spent_month = spent_month + 5 where id = '${id}'`,
    `update api_keys set spent_month = spent_month - 5 where id = '${id}'`,
  )
  expect(wrong).toEqual([{ ...rule, details: `key ${id} says 12 and 17, the ledger 12 and 12` }])
  const lost = await after(
    `update api_keys set spent_today = 1 where id = '${id}'`,
    `update api_keys set spent_today = 12 where id = '${id}'`,
  )
  expect(lost).toMatchObject([rule])
})

test('charged failures, charges without entries and gaps in texts are found', async () => {
  const { user } = await app.signIn()
  const [thread, id] = ['thread-of-damage', 'message-of-damage']
  await app.db.insert(threads).values({ id: thread, userId: user.id, title: 'Беседа' })
  const run = { hold: 'damaged', offset: 0, input: 5, inputRate: 1, outputRate: 1 }
  const row = { id, threadId: thread, userId: user.id, role: 'assistant', content: '', run } as const
  await app.db.insert(messages).values({ ...row, status: 'streaming', instance: app.instance.id })
  await hold(app.db, { key: 'damaged', userId: user.id, kind: 'answer', symbols: 10, instance: app.instance.id })
  const gap = await after(
    `insert into message_chunks values ('${id}', 0, 3, 'раз'), ('${id}', 4, 6, 'ва')`,
    `delete from message_chunks where message_id = '${id}'`,
  )
  expect(gap).toMatchObject([{ rule: 'stored text has no gap', userId: user.id }])
  await settle(app.db, 'damaged', 10, { messageId: id })
  const charged = await after(
    `update messages set status = 'failed', charged = 10 where id = '${id}'`,
    `update messages set status = 'complete' where id = '${id}'`,
  )
  expect(charged).toMatchObject([{ rule: 'a failed answer has no charge', userId: user.id }])
  const silent = await after(
    `update messages set charged = 0 where id = '${id}'`,
    `update messages set charged = 10 where id = '${id}'`,
  )
  expect(silent).toMatchObject([{ rule: 'an answer was charged what the ledger says', userId: user.id }])
})

test('a subscription paid into the future without order and grant is found', async () => {
  const { user } = await app.signIn()
  await app.db.execute(sql`insert into plans (id, name) values ('inv', 'План')`)
  await app.db.execute(sql`insert into plan_versions (id, plan_id, symbols, price, currency, interval_days)
    values ('inv-v', 'inv', 100, 990, 'BYN', 30)`)
  const problems = await after(
    `insert into subscriptions (id, gateway_id, user_id, plan_version_id, state, active_to)
     values ('inv-s', 'sbs_inv', '${user.id}', 'inv-v', 'active', now() + interval '20 days')`,
    `update subscriptions set active_to = now() - interval '1 minute' where id = 'inv-s'`,
  )
  expect(problems).toMatchObject([
    { rule: 'a period that is paid for has its paid order and its grant', userId: user.id },
  ])
  // The grant of the previous period does not count for this one.
  await app.db.execute(sql`insert into orders (id, user_id, kind, status, plan_version_id, subscription_id, title, symbols,
    amount, currency, gateway_uid, paid_at) values ('inv-o', ${user.id}, 'plan', 'paid', 'inv-v', 'inv-s', 'План', 100,
    990, 'BYN', 'uid-inv', now())`)
  await grant(app.db, {
    key: 'payment:uid-inv',
    userId: user.id,
    kind: 'plan',
    symbols: 100,
    expiresAt: new Date(Date.now() + 86_400_000),
    orderId: 'inv-o',
  })
  const [early, late] = [
    await after(
      `update subscriptions set active_to = now() + interval '31 days' where id = 'inv-s'`,
      `update subscriptions set active_to = now() + interval '1 day' where id = 'inv-s'`,
    ),
    await after('select 1', 'select 1'),
  ]
  expect(early).toMatchObject([{ userId: user.id }])
  expect(late).toEqual([])
})

test('an admin runs the reconciliation and sees what does not add up', async () => {
  const owner = await app.signIn('owner@example.test')
  expect(await owner.call(statisticsApi.reconcile, {})).toEqual({ ok: true, problems: [] })
})

test('the nightly check covers new entries, and everything monthly', async () => {
  const { user } = await app.signIn()
  await grant(app.db, { key: 'old', userId: user.id, kind: 'gift', symbols: 7 }, new Date(Date.now() - 3_600_000))
  const night = new Date('2026-11-15T04:13:00Z')
  expect(await checkNewEntries(app.db, night)).toEqual([])
  const explain = (parts: string) => sql`update ledger set parts = ${parts}::jsonb where key = 'old'`
  await app.db.execute(sql`alter table ledger disable trigger user`)
  const [{ parts } = { parts: null }] = await app.db.select().from(ledger).where(eq(ledger.key, 'old'))
  await app.db.execute(explain('[]'))
  expect(await checkNewEntries(app.db, night)).toEqual([])
  const found = await checkNewEntries(app.db, new Date('2026-12-01T04:13:00Z'))
  expect(found).toMatchObject([{ rule: 'every entry is explained by grants', userId: user.id }])
  await app.db.execute(explain(JSON.stringify(parts)))
  await app.db.execute(sql`alter table ledger enable trigger user`)
  expect(await checkNewEntries(app.db, new Date('2026-12-01T04:13:00Z'))).toEqual([])
})
