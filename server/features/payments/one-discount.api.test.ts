import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { billingApi } from '#contract/billing.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { type PromoDraft, promocodesApi } from '#contract/promocodes.ts'
import { linkTo } from '#server/auth/testing/steps.ts'
import { promoCodes } from '#server/db/schema.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { expireOrder } from './subscriptions.ts'
import { startPaidApp } from './testing/paid-app.ts'

let closesPages = false
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    cancelSubscription: async (id, reason) => {
      if (closesPages) return real.cancelSubscription(id, reason)
      throw new GatewayError('refused')
    },
  }),
})
afterEach(() => {
  closesPages = false
})

let made = 0
async function aCode(terms: Partial<PromoDraft> = {}) {
  const code = `ONCE-${++made}-${process.pid}`
  return app.owner.call(promocodesApi.create, { body: { code, discountPercent: 99, maxUses: 1, ...terms } })
}
const aPlan = () => app.aPlan({ symbols: 1_000_000, price: 3000 })
async function pageOf(person: SignedIn, planId: string, promocode: string) {
  const { redirect_url } = await person.call(paymentsApi.subscriptionUrl, { query: { planId, promocode } })
  return redirect_url
}
const paidOrders = async (person: SignedIn) =>
  (await app.ordersOf(person)).filter(({ status }) => status === 'paid').toSorted((a, b) => b.symbols - a.symbols)
const payAll = (pages: string[]) => Promise.all(pages.map((page) => app.press(page, 'pay')))

test('a code used on two pages discounts only a single plan (S10.89)', async () => {
  const anna = await app.signIn()
  const { code, id } = await aCode({ firstPurchaseOnly: true })
  const [one, two] = [await aPlan(), await aPlan()]
  const pages = [await pageOf(anna, one.id, code), await pageOf(anna, two.id, code)]
  for (const page of pages) await app.press(page, 'pay')
  expect(await paidOrders(anna)).toMatchObject([
    { amount: 30, symbols: 1_000_000 },
    { amount: 30, symbols: 10_000, title: expect.stringContaining('без скидки') },
  ])
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 1_010_000 })
  expect(await app.db.select().from(promoCodes).where(eq(promoCodes.id, id))).toMatchObject([{ uses: 1 }])
  const { items } = await app.owner.call(paymentEventsApi.table, { query: {} })
  expect(items.map(({ problem }) => problem)).toContainEqual(expect.stringContaining('Начислено 10000 символов'))
})

test('pages paid at the same moment get a single discount (S10.89)', async () => {
  const anna = await app.signIn()
  const { code } = await aCode()
  const plans = await Promise.all([aPlan(), aPlan(), aPlan()])
  const pages: string[] = []
  for (const { id } of plans) pages.push(await pageOf(anna, id, code))
  await payAll(pages)
  expect((await paidOrders(anna)).map(({ symbols }) => symbols)).toEqual([1_000_000, 10_000, 10_000])
})

test('codes for the first purchase do not add up (S10.89)', async () => {
  const anna = await app.signIn()
  const codes = await Promise.all([1, 2, 3].map(() => aCode({ firstPurchaseOnly: true })))
  const pages: string[] = []
  for (const { code } of codes) pages.push(await pageOf(anna, (await aPlan()).id, code))
  await payAll(pages)
  expect((await paidOrders(anna)).map(({ symbols }) => symbols)).toEqual([1_000_000, 10_000, 10_000])
})

test('the page that lost the discount is closed at the gateway', async () => {
  closesPages = true
  const anna = await app.signIn()
  const { code } = await aCode()
  const [one, two] = [await aPlan(), await aPlan()]
  const first = await pageOf(anna, one.id, code)
  const second = await pageOf(anna, two.id, code)
  expect(await (await fetch(first)).status).toBe(404)
  expect(await app.ordersOf(anna)).toMatchObject([{ status: 'pending' }, { status: 'expired' }])
  await app.press(second, 'pay')
  expect(await paidOrders(anna)).toMatchObject([{ symbols: 1_000_000 }])
  expect(await app.emailsTo(anna)).toHaveLength(1)
})

test('a user who returns to the first plan gets the discount there', async () => {
  closesPages = true
  const anna = await app.signIn()
  const { code } = await aCode()
  const [one, two] = [await aPlan(), await aPlan()]
  await pageOf(anna, one.id, code)
  await pageOf(anna, two.id, code)
  await app.press(await pageOf(anna, one.id, code), 'pay')
  expect(await paidOrders(anna)).toMatchObject([{ title: `Тариф «${one.name}»`, symbols: 1_000_000 }])
})

test('the discount goes to whichever page is paid', async () => {
  const anna = await app.signIn()
  const { code } = await aCode()
  const [one, two] = [await aPlan(), await aPlan()]
  const first = await pageOf(anna, one.id, code)
  await pageOf(anna, two.id, code)
  await app.press(first, 'pay')
  expect(await paidOrders(anna)).toMatchObject([{ symbols: 1_000_000 }])
})

test('a closed page that is paid keeps its discount while uses remain', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  const { code } = await aCode()
  const plan = await aPlan()
  const late = await pageOf(anna, plan.id, code)
  const [order] = await app.ordersOf(anna)
  await app.db.transaction((tx) => expireOrder(tx, order?.id ?? ''))
  await app.press(late, 'pay')
  expect(await paidOrders(anna)).toMatchObject([{ symbols: 1_000_000 }])
  await expect(pageOf(boris, plan.id, code)).rejects.toMatchObject({ message: 'Этот код уже использован' })
})

test('used codes and first purchases stay used after the account is deleted (S10.98)', async () => {
  const email = `once-${process.pid}@gmail.com`
  const anna = await app.signIn(email)
  const sale = await aCode({ maxUses: null })
  const first = await aCode({ maxUses: null, firstPurchaseOnly: true })
  const plan = await aPlan()
  const gift = await aCode({ maxUses: null, discountPercent: null, symbols: 77 })
  const redeem = (person: SignedIn) =>
    person.call(billingApi.applyPromocode, { params: { id: person.user.id }, body: { code: gift.code } })
  await redeem(anna)
  await app.press(await pageOf(anna, plan.id, sale.code), 'pay')
  await anna.call(accountApi.deleteUser, { body: {} })
  await anna.fetch(linkTo(app, email, 'Удаление'))

  const again = await app.signIn(`o.nce-${process.pid}+2@gmail.com`)
  const used = { message: 'Вы уже применили этот код' }
  await expect(redeem(again)).rejects.toMatchObject(used)
  await expect(pageOf(again, plan.id, sale.code)).rejects.toMatchObject(used)
  await expect(pageOf(again, plan.id, first.code)).rejects.toMatchObject({ message: 'Код только для первой покупки' })
})

test('two accounts of a person with a code get a single discount', async () => {
  const people = [await app.signIn('pair@gmail.com'), await app.signIn('p.air@gmail.com')]
  const { code } = await aCode({ maxUses: null })
  const plan = await aPlan()
  await payAll(await Promise.all(people.map((person) => pageOf(person, plan.id, code))))
  const symbols = (await Promise.all(people.map(paidOrders))).flat().map((order) => order.symbols)
  expect(symbols.toSorted((a, b) => b - a)).toEqual([1_000_000, 10_000])
})
