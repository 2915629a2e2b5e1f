import { expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { cellText } from '#contract/csv.ts'
import { paymentsApi } from '#contract/payments.ts'
import { type PromoDraft, promocodesApi, promoState, promoStates } from '#contract/promocodes.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { startPaidApp } from '../payments/testing/paid-app.ts'

const app = await startPaidApp()

let made = 0
const aCode = (terms: Partial<PromoDraft>) =>
  app.owner.call(promocodesApi.create, { body: { code: `STAT-${++made}-${process.pid}`, ...terms } })
const statistics = (id: string) => app.owner.call(promocodesApi.statistics, { params: { id } })
const list = (query = {}) => app.owner.call(promocodesApi.list, { query: { size: 200, ...query } })
const apply = (who: SignedIn, code: string) =>
  who.call(billingApi.applyPromocode, { params: { id: who.user.id }, body: { code } })

async function payWith(who: SignedIn, planId: string, promocode: string) {
  const { redirect_url } = await who.call(paymentsApi.subscriptionUrl, { query: { planId, promocode } })
  await app.press(redirect_url, 'pay')
}

test('the statistics of a symbol code have its users and symbols', async () => {
  const { id, code } = await aCode({ symbols: 300, maxUses: null })
  const untouched = await aCode({ symbols: 5 })
  const anna = await app.signIn()
  const boris = await app.signIn()
  await apply(anna, code)
  await apply(boris, code)
  const result = await statistics(id)
  expect(result).toMatchObject({ uses: 2, symbols: 600, orders: 0, revenue: [], discount: [] })
  expect(result.recent.map(({ email, symbols, order }) => [email, symbols, order])).toEqual([
    [boris.user.email, 300, null],
    [anna.user.email, 300, null],
  ])
  expect(await statistics(untouched.id)).toMatchObject({ uses: 0, symbols: 0, recent: [] })
})

test('the statistics of a percent code have its revenue, discount and refunds (S1.29)', async () => {
  const plan = await app.aPlan({ price: 1000 })
  const { id, code } = await aCode({ discountPercent: 25, maxUses: null })
  const anna = await app.signIn()
  const boris = await app.signIn()
  await payWith(anna, plan.id, code)
  await payWith(boris, plan.id, code)
  expect(await statistics(id)).toMatchObject({
    uses: 2,
    symbols: 0,
    orders: 2,
    revenue: [{ amount: 1500, currency: 'BYN' }],
    discount: [{ amount: 500, currency: 'BYN' }],
  })
  const [order] = await app.ordersOf(boris)
  await app.owner.call(paymentsApi.refund, { params: { id: order?.id ?? '' }, body: { reason: 'Просьба' } })
  const result = await statistics(id)
  expect(result.revenue).toEqual([{ amount: 750, currency: 'BYN' }])
  expect(result.recent.map(({ order }) => order?.status)).toEqual(['refunded', 'paid'])
})

test('the table is filtered by a code’s benefit and state', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await aCode({ symbols: 1, startsAt: tomorrow })
  await aCode({ symbols: 1, startsAt: yesterday, expiresAt: tomorrow })
  await aCode({ symbols: 1, expiresAt: yesterday })
  await aCode({ discountPercent: 5, active: false })
  const spent = await aCode({ symbols: 1 })
  await apply(await app.signIn(), spent.code)
  const deleted = await aCode({ symbols: 1 })
  await app.owner.call(promocodesApi.delete, { params: { id: deleted.id } })

  const { items: all } = await list()
  for (const state of promoStates) {
    const expected = all.filter((code) => promoState(code) === state).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(0)
    expect((await list({ state })).items.map(({ id }) => id)).toEqual(expected)
  }
  expect((await list({ gives: 'discount' })).items.every(({ discountPercent }) => discountPercent !== null)).toBe(true)
  const { items: byEnd } = await list({ sort: 'expiresAt' })
  expect(byEnd.at(-1)?.expiresAt).toBeNull()
  expect(byEnd[0]?.expiresAt).toBe(yesterday)
})

test('switching off several codes counts only the active codes', async () => {
  const first = await aCode({ symbols: 1 })
  const second = await aCode({ symbols: 1, active: false })
  const deleted = await aCode({ symbols: 1 })
  await app.owner.call(promocodesApi.delete, { params: { id: deleted.id } })
  const ids = [first.id, second.id, deleted.id]
  const switched = (active: boolean) => app.owner.call(promocodesApi.setActive, { body: { ids, active } })
  expect(await switched(false)).toMatchObject([{ id: first.id, active: false }])
  expect((await switched(true)).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
})

test('a code has a name that is searched, sorted, changed and exported', async () => {
  const second = await aCode({ name: 'Ярмарка, весна', symbols: 5 })
  const first = await aCode({ name: 'ЯРМАРКА, осень', symbols: 5 })
  const found = async (query: string) => (await list({ query, sort: '-name' })).items.map(({ id }) => id)
  expect(await found('ярмарка')).toEqual([first.id, second.id])
  await app.owner.call(promocodesApi.update, { params: { id: second.id }, body: { name: 'Выставка 50%_' } })
  expect(await found('ярмарка')).toEqual([first.id])
  expect(await found('50%_')).toEqual([second.id])
  const csv = await (await app.owner.fetch(`${promocodesApi.csv.path}?query=${encodeURIComponent('выставка')}`)).text()
  expect(csv.trimEnd()).toMatch(/;Выставка 50%_$/)
})

test('only an admin exports the table as CSV, with its filters', async () => {
  const { items, total } = await list({ gives: 'discount', sort: 'uses' })
  const answer = await app.owner.fetch(`${promocodesApi.csv.path}?gives=discount&sort=uses&size=1&page=9`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...rows] = (await answer.text()).trimEnd().split('\r\n')
  expect(head).toMatch(/Окончание кода;Состояние;Символы;/)
  expect(rows).toHaveLength(total)
  expect(rows.map((row) => row.split(';')[0])).toEqual(items.map(({ hint }) => cellText(hint)))
  const anna = await app.signIn()
  expect((await anna.fetch(promocodesApi.csv.path)).status).toBe(403)
  expect((await app.visitor().fetch(promocodesApi.csv.path)).status).toBe(401)
})
