import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { orders, paymentMethods } from '#server/db/schema.ts'
import type { YookassaShop } from '#server/payments/shop.ts'
import { createYookassa } from '#server/payments/yookassa.ts'
import type { SignedIn } from '#server/testing/app.ts'
import type { PaymentDeps } from './deps.ts'
import { remindRenewals } from './poll-gateway.ts'
import { expireMethods } from './saved-methods.ts'
import { syncReversals } from './sync-reversals.ts'
import { DAY, startRenewing } from './testing/renewing.ts'

const HOUR = DAY / 24

const app = await startRenewing()
const { shop, started, jobAfter, subscriber, rowOf, renewalsOf, methodsOf, chargesOf, grantsOf } = app
const here = app.payments.shops.yookassa
if (!here) throw new Error('no shop')

/** The same server with another shop, as after a change of the settings. */
const withShop = (change: Partial<YookassaShop>): PaymentDeps => ({
  ...app.payments,
  shops: { bepaid: null, yookassa: { ...here, ...change } },
})
/** Payments by this method. */
const paidWith = (token: string) => [...shop.payments.values()].filter((made) => made.payment_method?.id === token)
const lastMethod = () => [...shop.methods.keys()].at(-1) ?? ''
const bind = async (person: SignedIn, kind: 'bank_card' | 'sbp' = 'bank_card') => {
  const page = await person.call(paymentsApi.bindMethod, { body: { kind } })
  return { ...page, token: lastMethod() }
}

test('a late charge of a cancelled plan leaves the new one alone (S10.954)', async () => {
  const { person, id } = await subscriber()
  shop.faults.pendingCharges = 1
  await jobAfter(30)
  vi.useRealTimers()
  await person.call(paymentsApi.cancel, {})
  const other = await app.aPlan({ name: 'Другой' })
  const charge = app.newestPayment()
  await app.subscribe(person, other.id)
  shop.pay(charge)
  await shop.idle()
  expect(await rowOf(id)).toMatchObject({ state: 'canceled', renewAt: null, paidBillingCycles: 2 })
  expect((await app.balance(person)).plan?.id).toBe(other.id)
  expect(await app.balance(person)).toMatchObject({ recurrent: true })
  expect(await grantsOf(person)).toBe(3)
})

test('a charge in flight counts after its method was removed (S10.954)', async () => {
  const { person, id } = await subscriber()
  shop.faults.failed = 1
  shop.faults.lost = 1
  await jobAfter(30)
  vi.useRealTimers()
  await person.call(paymentsApi.removeCard, {})
  for (const days of [30.01, 31.5, 40]) await jobAfter(days)
  expect(await chargesOf(person)).toBe(2)
  expect(await grantsOf(person)).toBe(2)
  expect(await rowOf(id)).toMatchObject({ state: 'canceled', renewAt: null })
  expect(await methodsOf(person)).toMatchObject([{ token: null, removedBy: 'payer' }])
})

test('a method chosen during the charge outlives the old one (S10.954)', async () => {
  const { person, id } = await subscriber()
  shop.faults.pendingCharges = 1
  await jobAfter(30)
  const charge = app.newestPayment()
  vi.useRealTimers()
  const { token } = await bind(person)
  shop.confirmMethod(token)
  await shop.idle()
  shop.decline(charge, 'permission_revoked')
  await shop.idle()
  expect(await rowOf(id)).toMatchObject({ state: 'failed_attempt' })
  expect(await methodsOf(person)).toMatchObject([{ removedBy: 'replaced' }, { removedBy: null }])
  await jobAfter(1.1)
  expect(paidWith(token)).toHaveLength(1)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 2 }])
})

test.each(['expired_on_confirmation', 'expired_on_capture'])(
  'a charge that ends with %s is tried again (S10.954)',
  async (reason) => {
    const { id } = await subscriber()
    shop.faults.pendingCharges = 1
    await jobAfter(30)
    shop.decline(app.newestPayment(), reason)
    await shop.idle()
    await jobAfter(30.1)
    expect(await renewalsOf(id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
    await jobAfter(31.2)
    expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 2 }])
  },
)

test('a refused charge counts as a decline that may pass (S10.954)', async () => {
  const { person, id } = await subscriber()
  shop.faults.refused = 1
  await jobAfter(30)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await jobAfter(31.1)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 2 }])
  expect(await chargesOf(person)).toBe(2)
})

test.each(['busy', 'wrong key'])('a gateway with %s is no decline (S10.954)', async (fault) => {
  const { person, id } = await subscriber()
  const before = (await app.emailsTo(person)).length
  const gateway = createYookassa({ ...app.fake.settings, secretKey: 'test_wrong' }, { busyPausesMs: [] })
  shop.faults.busy = fault === 'busy' ? 1 : 0
  await jobAfter(30, fault === 'busy' ? app.payments : withShop({ gateway }))
  expect(await renewalsOf(id)).toMatchObject([{ state: 'charging', attempts: 1 }])
  expect(await app.emailsTo(person)).toHaveLength(before)
  await jobAfter(30.1)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 1 }])
  expect(await chargesOf(person)).toBe(2)
})

test('settings that changed before the answer make no second charge (S10.955)', async () => {
  const { person, id } = await subscriber()
  shop.faults.failed = 1
  shop.faults.lost = 1
  await jobAfter(30)
  const receipts = here.receipts && { ...here.receipts, vatCode: 11 }
  for (const days of [30.01, 30.1]) await jobAfter(days, withShop({ receipts }))
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 1 }])
  expect(await chargesOf(person)).toBe(2)
})

test('clocks that differ make no second charge (S10.955)', async () => {
  const { person, id } = await subscriber()
  shop.faults.failed = 1
  shop.faults.lost = 1
  await jobAfter(30)
  for (const charged of shop.payments.values())
    if (Date.parse(charged.created_at) > started + DAY)
      charged.created_at = new Date(started + 30 * DAY - HOUR).toISOString()
  // The server was off until the key of the request was forgotten.
  await jobAfter(31.2)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'paid', attempts: 1 }])
  for (const days of [29, 30.5, 31.3]) await jobAfter(days)
  expect(await chargesOf(person)).toBe(2)
  expect(await grantsOf(person)).toBe(2)
})

test('a refund of a renewal is found without a notification (S10.955)', async () => {
  const { person, id } = await subscriber()
  await jobAfter(30)
  const charge = app.newestPayment()
  shop.faults.lost = 1
  shop.createRefund({ payment_id: charge, amount: { value: '990.00', currency: 'RUB' }, description: '', metadata: {} })
  await syncReversals(app.payments, new Date(started + 32 * DAY), { pauseMs: 0 })
  const [order] = await app.db.select().from(orders).where(eq(orders.gatewayUid, charge))
  expect(order).toMatchObject({ kind: 'renewal', status: 'refunded' })
  await jobAfter(32)
  expect(await rowOf(id)).toMatchObject({ state: 'canceled', renewAt: null })
  expect(await chargesOf(person)).toBe(2)
})

test('a method confirmed on an earlier page is found (S10.956)', async () => {
  const { person } = await subscriber()
  const first = await bind(person)
  await bind(person)
  shop.confirmMethod(first.token)
  await shop.idle()
  expect(await methodsOf(person)).toMatchObject([{ removedBy: 'replaced' }, { removedBy: null }, { activeAt: null }])
  expect((await methodsOf(person))[1]?.activeAt).not.toBeNull()
})

test('СБП is saved by a QR code and named in the reminder (S10.956, S10.957)', async () => {
  const { person } = await subscriber()
  const reminders = async (days: number) => {
    await remindRenewals(app.payments, new Date(started + days * DAY))
    return (await app.emailsTo(person)).filter(({ subject }) => subject.includes('скоро')).map(({ text }) => text)
  }
  expect(await reminders(28)).toEqual([expect.stringContaining('с карты •••• 4477 спишется 990')])
  const { qr, token } = await bind(person, 'sbp')
  expect(qr?.text).toBe(`${app.fake.url}/bind?id=${token}`)
  shop.faults.lost = 1
  shop.confirmMethod(token)
  expect(await person.call(paymentsApi.method, {})).toMatchObject({ method: { kind: 'sbp', last4: null } })
  await jobAfter(30)
  expect(paidWith(token)).toHaveLength(1)
  expect(await reminders(58)).toContainEqual(expect.stringContaining('через СБП спишется 990'))
})

test('a method that was not confirmed in time is forgotten (S10.956)', async () => {
  const { person } = await subscriber()
  const [old, late] = [await bind(person), await bind(person)]
  shop.faults.lost = 1
  shop.confirmMethod(late.token)
  await expireMethods(app.payments)
  expect((await methodsOf(person)).map(({ removedBy }) => removedBy)).toEqual([null, null, null])
  const silent = { ...here.gateway, boundMethod: () => Promise.reject(new Error('silent')) }
  await expireMethods(withShop({ gateway: silent }), new Date(Date.now() + 2 * HOUR))
  expect((await methodsOf(person)).map(({ removedBy }) => removedBy)).toEqual([null, null, null])
  await expireMethods(app.payments, new Date(Date.now() + 2 * HOUR))
  expect(await methodsOf(person)).toMatchObject([
    { removedBy: 'replaced', token: null },
    { removedBy: 'expired', token: null },
    { removedBy: null },
  ])
  shop.confirmMethod(old.token)
  await shop.idle()
  const active = (await methodsOf(person)).filter(({ removedAt }) => removedAt === null)
  expect(active).toHaveLength(1)
})

test('an older page that is confirmed last replaces nothing (S10.956)', async () => {
  const { person } = await subscriber()
  const [first, second] = [await bind(person), await bind(person)]
  for (const { token } of [second, first]) shop.confirmMethod(token)
  await shop.idle()
  const kept = (await methodsOf(person)).filter(({ removedAt }) => removedAt === null)
  expect(kept).toHaveLength(1)
  expect(kept[0]?.id).toBe((await methodsOf(person))[2]?.id)
  await person.call(paymentsApi.removeCard, {})
  expect(await app.db.$count(paymentMethods, eq(paymentMethods.userId, person.user.id))).toBe(3)
})
