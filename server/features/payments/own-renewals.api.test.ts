import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { subscriptions } from '#server/db/schema.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { reconcilePending, remindRenewals } from './poll-gateway.ts'
import { DAY, startRenewing } from './testing/renewing.ts'

const app = await startRenewing()
const { shop, plan, started, jobAfter, subscriber, rowOf, renewalsOf, methodsOf, chargesOf, grantsOf, subjectsOf } = app

test('a bought plan saves its method, and the next period is charged (S10.920)', async () => {
  const { person, id } = await subscriber()
  expect(await app.balance(person)).toMatchObject({ recurrent: true, card: { last4: '4477' }, availableTokens: 1000 })
  const { method } = await person.call(paymentsApi.method, {})
  expect(method).toMatchObject({ kind: 'bank_card', last4: '4477' })
  const [stored] = await methodsOf(person)
  expect(stored?.token).not.toContain([...shop.methods.keys()].at(-1))
  await remindRenewals(app.payments, new Date(started + 28 * DAY))
  expect(await subjectsOf(person)).toContain('Подписка «Про» скоро продлится')
  await jobAfter(29)
  expect(await chargesOf(person)).toBe(1)
  await jobAfter(30)
  await jobAfter(30)
  expect(await chargesOf(person)).toBe(2)
  expect(await renewalsOf(id)).toMatchObject([{ cycle: 2, state: 'paid', attempts: 1 }])
  const row = await rowOf(id)
  expect(row).toMatchObject({ state: 'active', paidBillingCycles: 2 })
  expect(Math.round(((row?.activeTo?.getTime() ?? 0) - started) / DAY)).toBe(60)
  expect(await subjectsOf(person)).toContain('Подписка продлена: Тариф «Про»')
})

test('a passing decline is tried again after 1, 3 and 5 days (S10.921)', async () => {
  const { person, id } = await subscriber()
  shop.faults.declined = ['insufficient_funds', 'issuer_unavailable', 'general_decline', 'insufficient_funds']
  const attempts = async () => (await renewalsOf(id))[0]?.attempts
  await jobAfter(30)
  expect(await rowOf(id)).toMatchObject({ state: 'failed_attempt' })
  expect((await app.emailsTo(person)).at(-1)?.text).toContain('На счёте не хватило денег')
  await jobAfter(30.9)
  expect(await attempts()).toBe(1)
  await jobAfter(31.1)
  expect(await attempts()).toBe(2)
  await jobAfter(34)
  expect(await attempts()).toBe(2)
  await jobAfter(34.3)
  expect(await attempts()).toBe(3)
  await jobAfter(39.5)
  expect(await renewalsOf(id)).toMatchObject([{ attempts: 4, state: 'failed' }])
  expect(await rowOf(id)).toMatchObject({ state: 'failed', renewAt: null, checkAt: null })
  expect(await chargesOf(person)).toBe(1)
  expect((await app.emailsTo(person)).at(-1)?.text).toContain('Попыток больше не будет')
})

test('after two declines the third attempt pays a whole period (S10.921)', async () => {
  const { person, id } = await subscriber()
  shop.faults.declined = ['insufficient_funds', 'insufficient_funds']
  for (const day of [30, 31.1, 34.3]) await jobAfter(day)
  expect(await renewalsOf(id)).toMatchObject([{ attempts: 3, state: 'paid' }])
  const row = await rowOf(id)
  expect(row?.state).toBe('active')
  expect(((row?.activeTo?.getTime() ?? 0) - started) / DAY).toBeGreaterThan(64)
  expect(await chargesOf(person)).toBe(2)
})

test('a final decline ends the subscription at once (S10.922)', async () => {
  const { person, id } = await subscriber()
  shop.faults.declined = ['card_expired']
  await jobAfter(30)
  await jobAfter(40)
  expect(await rowOf(id)).toMatchObject({ state: 'failed', renewAt: null })
  expect(await renewalsOf(id)).toMatchObject([{ attempts: 1, state: 'failed' }])
  expect((await app.emailsTo(person)).at(-1)?.text).toContain('Срок действия карты закончился')
})

test('a permission that was taken back ends it and forgets the method (S10.922)', async () => {
  const { person, id } = await subscriber()
  shop.revoke([...shop.methods.keys()].at(-1) ?? '')
  await jobAfter(30)
  expect(await rowOf(id)).toMatchObject({ state: 'failed' })
  expect(await methodsOf(person)).toMatchObject([{ token: null, removedBy: 'revoked' }])
  vi.useRealTimers()
  expect((await person.call(paymentsApi.method, {})).method).toBeNull()
})

test.each(['failed', 'silent'] as const)('a charge whose answer %s is not made twice (S10.923)', async (fault) => {
  const { person, id } = await subscriber()
  shop.faults[fault] = 1
  await jobAfter(30)
  await shop.idle()
  for (const days of [30.01, 30.1, 31.5]) await jobAfter(days)
  expect(await chargesOf(person)).toBe(2)
  expect(await grantsOf(person)).toBe(2)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 1 }])
})

test('a charge that never arrived gets a new key (S10.923)', async () => {
  const { person, id } = await subscriber()
  const gateway = app.payments.shops.yookassa?.gateway
  if (!gateway) throw new Error('no gateway')
  const away = vi.spyOn(gateway, 'chargeMethod').mockRejectedValue(new GatewayError('unknown'))
  await jobAfter(30)
  const [first] = await renewalsOf(id)
  expect(first).toMatchObject({ state: 'charging', attempts: 1 })
  away.mockRestore()
  await jobAfter(31.5)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
  expect(await chargesOf(person)).toBe(1)
  await jobAfter(32.6)
  const [last] = await renewalsOf(id)
  expect(last).toMatchObject({ state: 'paid', attempts: 2 })
  expect(last?.orderId).not.toBe(first?.orderId)
  expect(await chargesOf(person)).toBe(2)
})

test('a charge that stays pending is asked about, not repeated (S10.923)', async () => {
  const { person, id } = await subscriber()
  shop.faults.pendingCharges = 1
  await jobAfter(30)
  await jobAfter(30.5)
  expect(await chargesOf(person)).toBe(1)
  shop.faults.lost = 1
  shop.pay(app.newestPayment())
  await jobAfter(31)
  expect(await chargesOf(person)).toBe(2)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 1 }])
})

test('two jobs at once charge a period once (S10.923)', async () => {
  const { person } = await subscriber()
  const at = started + 30 * DAY + 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  await Promise.all(Array.from({ length: 4 }, () => reconcilePending(app.payments, new Date(at))))
  expect(await chargesOf(person)).toBe(2)
  expect(await grantsOf(person)).toBe(2)
})

test('cancelling and removing the method need no gateway and leave a record (S10.924)', async () => {
  const { person, id } = await subscriber()
  shop.faults.silent = 5
  const { SingleSubscription } = await person.call(paymentsApi.removeCard, {})
  shop.faults.silent = 0
  expect(SingleSubscription).toMatchObject({ recurrent: false, card: null, availableTokens: 1000 })
  expect(await rowOf(id)).toMatchObject({ state: 'canceled', renewAt: null })
  expect(await methodsOf(person)).toMatchObject([{ token: null, removedBy: 'payer', last4: '4477' }])
  await jobAfter(30)
  expect(await chargesOf(person)).toBe(1)
  expect(await subjectsOf(person)).toContain('Подписка «Про» отменена')
})

test('a method is changed without a payment and charged next (S10.925)', async () => {
  const { person } = await subscriber()
  const before = shop.payments.size
  const { redirect_url } = await person.call(paymentsApi.bindMethod, { body: { kind: 'bank_card' } })
  expect((await person.call(paymentsApi.method, {})).isConfirming).toBe(true)
  shop.confirmMethod(new URL(redirect_url).searchParams.get('id') ?? '')
  await shop.idle()
  expect(shop.payments.size).toBe(before)
  expect(await methodsOf(person)).toMatchObject([{ removedBy: 'replaced', token: null }, { removedBy: null }])
  await jobAfter(30)
  expect(await chargesOf(person)).toBe(2)
  expect([...shop.payments.values()].at(-1)?.payment_method?.id).toBe([...shop.methods.keys()].at(-1))
})

test('a smaller plan is charged instead when the period ends (S10.926)', async () => {
  const person = await app.signIn()
  const large = await app.aPlan({ price: 200_000, symbols: 5000 })
  await app.subscribe(person, large.id)
  await person.call(paymentsApi.changePlan, { body: { planId: plan.id, amount: 0 } })
  await jobAfter(30)
  const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.userId, person.user.id))
  expect(row).toMatchObject({ state: 'active', nextPlanVersionId: null, paidBillingCycles: 2 })
  expect([...shop.payments.values()].at(-1)?.amount.value).toBe('990.00')
})

test('a larger plan replaces the running one when it is paid (S10.926)', async () => {
  const { person, id } = await subscriber()
  const large = await app.aPlan({ price: 200_000, symbols: 5000 })
  const terms = await person.call(paymentsApi.changeTerms, { query: { planId: large.id } })
  await person.call(paymentsApi.changePlan, { body: { planId: large.id, amount: terms.amount, method: 'sbp' } })
  const paid = await app.pay()
  expect(shop.payments.get(paid)?.payment_method?.type).toBe('sbp')
  await reconcilePending(app.payments)
  expect(await rowOf(id)).toMatchObject({ state: 'canceled' })
  expect((await app.balance(person)).plan?.id).toBe(large.id)
})

test('another person and no session cannot read or change a method (S10.925)', async () => {
  const { person } = await subscriber()
  const other = await app.signIn()
  expect((await other.call(paymentsApi.method, {})).method).toBeNull()
  await expect(other.call(paymentsApi.removeCard, {})).rejects.toMatchObject({ status: 404 })
  expect((await person.call(paymentsApi.method, {})).method?.last4).toBe('4477')
  expect((await app.app.request('/api/payments/method')).status).toBe(401)
})
