import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type LedgerEntry, type LedgerFilter, ledgerApi } from '#contract/transactions-admin.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { startOfDay } from '../billing/days.ts'
import { reconcile } from '../billing/invariants.ts'
import { grant, spend, takeBack } from '../billing/ledger.ts'

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03']
const MODELS = ['swift', 'deep']

const app = await testApp({ startSymbols: 0 })
const owner = await app.signIn('owner@example.test')
const people = await Promise.all(
  ['anna@shop.test', 'boris@shop.test', 'vera@post.test'].map((email) => app.signIn(email)),
)
const table = (query: Record<string, unknown> = {}) => owner.call(ledgerApi.table, { query })
const totals = (query: Record<string, unknown> = {}) => owner.call(ledgerApi.totals, { query })

await randomLedger()
const all = (await table({ size: 200 })).items
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

async function randomLedger() {
  const random = fc.sample(
    fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      action: fc.constantFrom('gift', 'bundle', 'answer', 'answer', 'answer', 'image', 'take'),
      symbols: fc.integer({ min: 1, max: 500 }),
      model: fc.constantFrom(...MODELS),
      day: fc.constantFrom(...DAYS),
      currency: fc.constantFrom('BYN', 'RUB'),
    }),
    { numRuns: 150, seed: 7 },
  )
  for (const [at, { who, action, symbols, model, day, currency }] of random.entries()) {
    const userId = people[who]?.user.id ?? ''
    const now = new Date(startOfDay(day).getTime() + at * 1000)
    const key = `random:${at}`
    if (action === 'gift') await grant(app.db, { key, userId, kind: 'gift', symbols: symbols * 3 }, now)
    if (action === 'bundle') await bought(key, userId, symbols * 5, currency, now)
    if (action === 'answer' || action === 'image')
      await spend(app.db, { key, userId, kind: action, symbols, modelId: model }, now)
    if (action === 'take') await bought(key, userId, symbols, currency, now, true)
  }
}

async function bought(key: string, userId: string, symbols: number, currency: string, now: Date, isBack = false) {
  const id = newId()
  await app.db.execute(sql`
    with b as (insert into bundles (id, name, symbols, price, currency) values (${id}, 'Пакет', ${symbols}, 350, ${currency}))
    insert into orders (id, user_id, kind, status, bundle_id, title, symbols, amount, currency, gateway_uid, paid_at)
    values (${id}, ${userId}, 'bundle', ${isBack ? 'refunded' : 'paid'}, ${id}, 'Пакет', ${symbols}, 350, ${currency}, ${id}, now())`)
  await grant(app.db, { key, userId, kind: 'bundle', symbols, orderId: id, amount: 350, currency }, now)
  if (!isBack) return
  const { rows } = (await app.db.execute(sql`select id from grants where order_id = ${id}`)) as unknown as {
    rows: { id: string }[]
  }
  const details = { amount: -350, currency, note: 'Возврат денег' }
  await takeBack(app.db, { key: `${key}:back`, grantId: rows[0]?.id ?? '', kind: 'take_back', ...details }, now)
}

/** The filter written again in TypeScript, to compare with the SQL. */
function fits(row: LedgerEntry, f: LedgerFilter): boolean {
  const at = Date.parse(row.createdAt)
  return (
    (f.kind === undefined || row.kind === f.kind) &&
    (f.direction === undefined || row.symbols > 0 === (f.direction === 'in')) &&
    (f.userId === undefined || row.userId === f.userId) &&
    (f.modelId === undefined || row.modelId === f.modelId) &&
    (f.from === undefined || at >= startOfDay(f.from).getTime()) &&
    (f.to === undefined || at < startOfDay(f.to, 1).getTime()) &&
    (f.symbolsFrom === undefined || Math.abs(row.symbols) >= f.symbolsFrom) &&
    (f.symbolsTo === undefined || Math.abs(row.symbols) <= f.symbolsTo) &&
    (f.query === undefined || row.email.includes(f.query.toLowerCase()))
  )
}

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyFilter = () =>
  fc
    .record({
      kind: some(fc.constantFrom('gift', 'bundle', 'answer', 'image', 'take_back', 'expiry')),
      direction: some(fc.constantFrom('in', 'out')),
      userId: some(fc.constantFrom(...people.map(({ user }) => user.id))),
      modelId: some(fc.constantFrom(...MODELS, 'none')),
      from: some(fc.constantFrom(...DAYS)),
      to: some(fc.constantFrom(...DAYS)),
      symbolsFrom: some(fc.integer({ min: 0, max: 900 })),
      symbolsTo: some(fc.integer({ min: 0, max: 900 })),
      query: some(fc.constantFrom('anna', 'Shop.Test', '@', 'no-one')),
    })
    .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))

const sum = (rows: LedgerEntry[], of: (row: LedgerEntry) => number) => rows.reduce((all, row) => all + of(row), 0)

test('the list, count, totals and CSV match the rows for any filter (S2.40)', async () => {
  expect(all.length).toBeGreaterThan(100)
  await fc.assert(
    fc.asyncProperty(anyFilter(), async (filter) => {
      const expected = all.filter((row) => fits(row, filter as LedgerFilter))
      const list = await table({ ...filter, size: 200 })
      expect(list).toEqual({ items: expected, total: expected.length, isMore: false })
      expect(await totals(filter)).toEqual({
        entries: expected.length,
        came: sum(expected, ({ symbols }) => Math.max(0, symbols)),
        went: sum(expected, ({ symbols }) => Math.max(0, -symbols)),
        money: moneyIn(expected),
      })
      const file = await (
        await owner.fetch(`/api/transactions/table/csv?${new URLSearchParams(filter as never)}`)
      ).text()
      const ids = file
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(';')[0])
      expect(ids).toEqual(expected.map(({ id }) => id))
    }),
    { numRuns: 25 },
  )
})

function moneyIn(rows: LedgerEntry[]) {
  return ['BYN', 'RUB'].flatMap((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    const part = (sign: 1 | -1) => sum(own, ({ amount }) => Math.max(0, sign * (amount ?? 0)))
    return own.length > 0 ? [{ currency, came: part(1), went: part(-1) }] : []
  })
}

test('the server pages and sorts, and rejects an unknown sort', async () => {
  const bySize = [...all].sort((a, b) => a.symbols - b.symbols || Number(a.id) - Number(b.id))
  expect((await table({ sort: 'symbols', size: 10, page: 3 })).items).toEqual(bySize.slice(20, 30))
  expect((await table({ sort: 'createdAt', size: 1 })).items[0]?.id).toBe(all.at(-1)?.id)
  expect((await table({ page: 1000 })).items).toEqual([])
  await expect(table({ sort: 'email' })).rejects.toMatchObject({ status: 400, field: 'sort' })
  await expect(table({ sort: 'constructor' })).rejects.toMatchObject({ status: 400, field: 'sort' })
})

test('an entry is found by its id, key, message, chat and user', async () => {
  const vera = people[2] as SignedIn
  const thread = await aThread(app.db, vera.user.id)
  const message = await aMessage(app.db, thread, { role: 'assistant', charged: 3 })
  await grant(app.db, { key: 'for-search', userId: vera.user.id, kind: 'gift', symbols: 9 })
  const where = { threadId: thread.id, messageId: message.id }
  await spend(app.db, { key: 'found-by-key', userId: vera.user.id, kind: 'answer', symbols: 3, ...where })
  const keysFor = async (query: string) => (await table({ query, size: 200 })).items.map(({ key }) => key)
  const [entry] = (await table({ query: 'found-by-key' })).items
  for (const query of ['found-by-key', message.id, thread.id, String(entry?.id)])
    expect(await keysFor(query)).toEqual(['found-by-key'])
  expect(await keysFor(vera.user.id)).toEqual(await keysFor('VERA@post'))
  for (const query of ['%', '_', '\\', newId()]) expect(await keysFor(query)).toEqual([])
  expect(entry).toMatchObject({ email: 'vera@post.test', threadId: thread.id })
})

test('an entry says which grants its symbols came from', async () => {
  const lena = await app.signIn()
  const userId = lena.user.id
  await grant(app.db, { key: 'lena:1', userId, kind: 'gift', symbols: 10, note: 'С днём рождения' })
  await bought('lena:2', userId, 90, 'BYN', new Date())
  await spend(app.db, { key: 'lena:3', userId, kind: 'answer', symbols: 30 })
  const [entry] = (await table({ query: 'lena:3' })).items
  const card = (id: string) => owner.call(ledgerApi.card, { params: { id } })
  expect(await card(String(entry?.id))).toMatchObject({
    symbols: -30,
    email: lena.user.email,
    parts: [
      { kind: 'gift', symbols: -10, note: 'С днём рождения', orderId: null },
      { kind: 'bundle', symbols: -20, orderId: expect.any(String) },
    ],
  })
  for (const id of ['0', 'abc', '999999999']) await expect(card(id)).rejects.toMatchObject({ status: 404 })
})

test('only an administrator sees the ledger', async () => {
  for (const path of ['table', 'totals', 'table/csv', '1/card']) {
    expect((await people[0]?.fetch(`/api/transactions/${path}`))?.status).toBe(403)
    expect((await app.visitor().fetch(`/api/transactions/${path}`)).status).toBe(401)
  }
  expect((await owner.fetch('/api/transactions/table?from=never')).status).toBe(400)
})

test('the CSV file is complete and has each row’s email', async () => {
  const dina = await app.signIn('dina@example.test')
  await grant(app.db, { key: 'dina', userId: dina.user.id, kind: 'gift', symbols: 5000 })
  await app.db.execute(sql`
    select money_spend('dina:' || i, ${dina.user.id}, 'answer', 1, '{}', now(), current_date) from generate_series(1, 1050) i`)
  const text = await (await owner.fetch('/api/transactions/table/csv?query=dina@')).text()
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1052)
  expect(lines[0]).toMatch(/;Почта;Ключ$/)
  expect(lines[1]).toMatch(/;dina@example.test;dina:1050$/)
  expect(new Set(lines).size).toBe(1052)
})
