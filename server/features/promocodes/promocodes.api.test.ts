import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { promoCodes } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { reconcile } from '../billing/invariants.ts'

const app = await testApp({ startSymbols: 0 })
const owner = await app.signIn('owner@example.test')
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

const create = (body: Parameters<typeof owner.call<typeof promocodesApi.create>>[1]['body']) =>
  owner.call(promocodesApi.create, { body })
const list = (query = {}) => owner.call(promocodesApi.list, { query })
const change = (id: string, body: Parameters<typeof owner.call<typeof promocodesApi.update>>[1]['body']) =>
  owner.call(promocodesApi.update, { params: { id }, body })

test('a code is shown once and stored as a keyed hash (S1.29, S10.91, S10.92)', async () => {
  const made = await create({ code: ' vesna-2026 ', symbols: 500 })
  expect(made).toMatchObject({ code: 'VESNA-2026', hint: '2026', symbols: 500, maxUses: 1, uses: 0, active: true })
  const read = await owner.call(promocodesApi.get, { params: { id: made.id } })
  expect(read).not.toHaveProperty('code')
  const [row] = await app.db.select().from(promoCodes).where(eq(promoCodes.id, made.id))
  expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(row)).not.toContain('VESNA')
})

test('the hint of a short code is not the code (S10.91)', async () => {
  expect(await create({ code: 'ABCD', symbols: 5 })).toMatchObject({ hint: 'CD' })
})

test('case does not matter in a code, the alphabet does (S10.91)', async () => {
  await create({ code: 'Осень', symbols: 5 })
  await expect(create({ code: 'ОСЕНЬ', symbols: 7 })).rejects.toMatchObject({ status: 409, field: 'code' })
  await create({ code: 'TECT', symbols: 5 })
  await create({ code: 'ТЕСТ', symbols: 5 })
})

test('a code gives either symbols or a percent between valid dates (S10.85)', async () => {
  for (const [terms, field] of [
    [{}, 'symbols'],
    [{ symbols: 10, discountPercent: 10 }, 'symbols'],
    [{ symbols: -1 }, 'symbols'],
    [{ discountPercent: 101 }, 'discountPercent'],
    [{ symbols: 1, maxUses: 0 }, 'maxUses'],
    [{ symbols: 1, startsAt: '2026-02-01T00:00:00Z', expiresAt: '2026-01-01T00:00:00Z' }, 'expiresAt'],
  ] as const) {
    await expect(create({ code: 'WRONG', ...terms })).rejects.toMatchObject({ status: 400, field })
  }
  await expect(create({ code: 'с пробелом', symbols: 1 })).rejects.toMatchObject({ status: 400, field: 'code' })
})

test('a batch has different readable codes, and each works (S10.92)', async () => {
  const batch = await owner.call(promocodesApi.createBatch, { body: { count: 50, prefix: 'gift-', symbols: 7 } })
  expect(new Set(batch.map(({ code }) => code)).size).toBe(50)
  for (const { code, hint } of batch) {
    expect(code).toMatch(/^GIFT-[2-9A-HJKMNP-Z]{12}$/)
    expect(code.endsWith(hint)).toBe(true)
  }
  const anna = await app.signIn()
  for (const { code } of batch.slice(0, 2)) {
    await anna.call(billingApi.applyPromocode, { params: { id: anna.user.id }, body: { code: code.toLowerCase() } })
  }
  expect(await anna.call(billingApi.grants, {})).toHaveLength(2)
  const none = owner.call(promocodesApi.createBatch, { body: { count: 1001, symbols: 7 } })
  await expect(none).rejects.toMatchObject({ status: 400, field: 'count' })
})

test('the list is searched by code or hint, filtered, sorted and counted', async () => {
  const made = await create({ code: 'FIND-ME-7788', symbols: 11, active: false })
  expect(await list({ query: ' find-me-7788' })).toMatchObject({ items: [{ id: made.id }], total: 1 })
  expect((await list({ query: '7788' })).items).toMatchObject([{ id: made.id }])
  expect(await list({ query: 'FIND-ME' })).toEqual({ items: [], total: 0 })
  expect(await list({ query: '7788', active: 'true' })).toEqual({ items: [], total: 0 })
  const { items, total } = await list({ sort: '-symbols', size: 3, page: 2 })
  const everything = await list({ sort: '-symbols', size: 200 })
  expect(total).toBe(everything.items.length)
  expect(items).toEqual(everything.items.slice(3, 6))
  const sizes = everything.items.map(({ symbols }) => symbols)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  await expect(list({ sort: 'codeHash' })).rejects.toMatchObject({ status: 400, field: 'sort' })
})

test('a change keeps unnamed fields and earlier uses (S1.29)', async () => {
  const made = await create({ code: 'CHANGE-ME', symbols: 100, maxUses: 5, expiresAt: '2999-01-01T00:00:00.000Z' })
  expect(await change(made.id, { maxUses: null, firstPurchaseOnly: true })).toMatchObject({
    symbols: 100,
    maxUses: null,
    firstPurchaseOnly: true,
    expiresAt: '2999-01-01T00:00:00.000Z',
  })
  await change(made.id, { firstPurchaseOnly: false })
  for (const person of [await app.signIn(), await app.signIn()]) {
    const body = { code: 'change-me' }
    await person.call(billingApi.applyPromocode, { params: { id: person.user.id }, body })
  }
  await expect(change(made.id, { maxUses: 1 })).rejects.toMatchObject({ status: 409, field: 'maxUses' })
  expect(await change(made.id, { maxUses: 2 })).toMatchObject({ uses: 2, maxUses: 2 })
  await expect(change(made.id, { discountPercent: 5 })).rejects.toMatchObject({ status: 400 })
  expect(await change(made.id, { discountPercent: 5, symbols: 0 })).toMatchObject({ symbols: 0, discountPercent: 5 })
  await expect(change('no-such-code', { active: false })).rejects.toMatchObject({ status: 404 })
})

test('a deleted code is off for good and stays in the list (S1.29)', async () => {
  const { id } = await create({ code: 'DELETE-ME', symbols: 100 })
  for (let i = 0; i < 2; i++) {
    expect(await owner.call(promocodesApi.delete, { params: { id } })).toMatchObject({ id, active: false })
  }
  await expect(change(id, { active: true })).rejects.toMatchObject({ status: 409 })
  expect(await list({ query: 'DELETE-ME' })).toMatchObject({ total: 1 })
  const anna = await app.signIn()
  const tried = anna.call(billingApi.applyPromocode, { params: { id: anna.user.id }, body: { code: 'DELETE-ME' } })
  await expect(tried).rejects.toMatchObject({ status: 400, message: 'Код недействителен' })
  const again = owner.call(promocodesApi.delete, { params: { id: 'no-such-code' } })
  await expect(again).rejects.toMatchObject({ status: 404 })
})

test('only an admin exports a batch as CSV, and its codes work (S10.92)', async () => {
  const batch = { count: 3, prefix: 'ZIMA', symbols: 50 }
  const answer = await owner.post(promocodesApi.createBatchCsv.path, batch)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const bytes = Buffer.from(await answer.arrayBuffer()).toString('utf8')
  const [head, ...rows] = bytes.trimEnd().split('\r\n')
  expect(head).toMatch(/^\uFEFFКод;Символы;/)
  expect(rows).toHaveLength(3)
  const code = rows[0]?.split(';')[0] ?? ''
  expect(code).toMatch(/^ZIMA/)
  const anna = await app.signIn()
  const applied = await anna.call(billingApi.applyPromocode, { params: { id: anna.user.id }, body: { code } })
  expect(applied.SingleSubscription.availableTokens).toBe(50)
  expect((await anna.post(promocodesApi.createBatchCsv.path, batch)).status).toBe(403)
  expect((await app.visitor().post(promocodesApi.createBatchCsv.path, batch)).status).toBe(401)
  expect((await owner.post(promocodesApi.createBatchCsv.path, { ...batch, count: 0 })).status).toBe(400)
})
