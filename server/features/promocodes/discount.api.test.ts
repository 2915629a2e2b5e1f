import { expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { type PromoDraft, promocodesApi } from '#contract/promocodes.ts'
import { bundles, orders } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, TEST_SECRET, testApp } from '#server/testing/app.ts'
import { discountFor, markDiscountUsed, releaseDiscount } from './discount.ts'
import { promoKeys } from './promocodes.ts'

const app = await testApp({ startSymbols: 0 })
const owner = await app.signIn('owner@example.test')
await app.db.insert(bundles).values({ id: 'pack', name: 'Пакет', symbols: 10, price: 500, currency: 'BYN' })

let made = 0
async function aDiscount(terms: Partial<PromoDraft> = {}) {
  const code = `SALE-${++made}-${process.pid}`
  return owner.call(promocodesApi.create, { body: { code, discountPercent: terms.symbols ? null : 20, ...terms } })
}
const ask = (who: SignedIn, code: string) => discountFor({ db: app.db, ...promoKeys(TEST_SECRET) }, who.user.id, code)
const mark = (who: SignedIn, promoId: string, orderId: string = newId()) =>
  markDiscountUsed(app.db, who.user.id, promoId, orderId)
const usesOf = async (id: string) => (await owner.call(promocodesApi.get, { params: { id } })).uses

/** An order; what it is for does not matter here. */
async function anOrder({ user }: SignedIn, promoId: string | null, isPaid: boolean) {
  const id = newId()
  const end = isPaid ? { status: 'paid' as const, paidAt: new Date(), gatewayUid: id } : { status: 'failed' as const }
  await app.db.insert(orders).values({
    id,
    userId: user.id,
    kind: 'bundle',
    bundleId: 'pack',
    title: 'Пакет',
    symbols: 10,
    amount: 500,
    currency: 'BYN',
    promoId,
    discountPercent: promoId ? 20 : null,
    ...end,
  })
  return id
}

test('a percent code returns its discount without counting a use', async () => {
  const anna = await app.signIn()
  const { id, code } = await aDiscount()
  for (let i = 0; i < 3; i++) expect(await ask(anna, code.toLowerCase())).toEqual({ percent: 20, promoId: id })
  expect(await usesOf(id)).toBe(0)
  const adds = await aDiscount({ symbols: 10 })
  await expect(ask(anna, adds.code)).rejects.toMatchObject({ code: 'conflict' })
  await expect(ask(anna, 'NO-SUCH-CODE')).rejects.toMatchObject({ code: 'bad_request', message: 'Код недействителен' })
})

test('a code for two uses lowers two of twenty parallel orders (S10.94)', async () => {
  const { id } = await aDiscount({ maxUses: 2 })
  const people = await Promise.all(Array.from({ length: 20 }, () => app.signIn()))
  const tries = await Promise.allSettled(people.map((who) => mark(who, id)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await usesOf(id)).toBe(2)
})

test('a new unpaid order takes over the code; payment uses it up', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const { id, code } = await aDiscount()
  const first = await anOrder(anna, id, false)
  await mark(anna, id, first)
  await mark(anna, id, first)
  expect(await ask(anna, code)).toMatchObject({ promoId: id })
  await expect(ask(boris, code)).rejects.toMatchObject({ message: 'Этот код уже использован' })
  await mark(anna, id, await anOrder(anna, id, false))
  expect(await usesOf(id)).toBe(1)
  await anOrder(anna, id, true)
  await expect(ask(anna, code)).rejects.toMatchObject({ message: 'Вы уже применили этот код' })
  await expect(mark(anna, id)).rejects.toMatchObject({ message: 'Вы уже применили этот код' })
})

test('an expired order frees its use, once (S10.89)', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const { id, code } = await aDiscount()
  await mark(anna, id, 'lost-order')
  await Promise.all([releaseDiscount(app.db, 'lost-order'), releaseDiscount(app.db, 'lost-order')])
  expect(await usesOf(id)).toBe(0)
  expect(await ask(boris, code)).toMatchObject({ percent: 20 })
})

test('a code for the first purchase is rejected after a purchase (S10.85)', async () => {
  const anna = await app.signIn()
  const off = await aDiscount({ firstPurchaseOnly: true })
  const adds = await aDiscount({ firstPurchaseOnly: true, symbols: 10 })
  const apply = (who: SignedIn) =>
    who.call(billingApi.applyPromocode, { params: { id: who.user.id }, body: { code: adds.code } })
  await anOrder(anna, null, false)
  await ask(anna, off.code)
  await anOrder(anna, null, true)
  await expect(ask(anna, off.code)).rejects.toMatchObject({ message: 'Код только для первой покупки' })
  await expect(apply(anna)).rejects.toMatchObject({ status: 409, message: 'Код только для первой покупки' })
  await apply(await app.signIn())
})
