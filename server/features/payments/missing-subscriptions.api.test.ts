import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { subscriptions } from '#server/db/schema.ts'
import { reconcilePending } from './poll-gateway.ts'
import { startPaidApp } from './testing/paid-app.ts'

const HOUR = 3_600_000
const begun = Date.now()
/** Past the end of the first period, so that the subscription is due. */
const at = (ms: number) => new Date(begun + 30 * 24 * HOUR + 2 * HOUR + ms)

let requests = 0
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    subscription: (id) => {
      requests += 1
      return real.subscription(id)
    },
  }),
})

async function aSubscriber() {
  const person = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(person, plan.id)
  const stored = app.fakeBepaid.accounts.subscriptions.get(id)
  if (!stored) throw new Error('no subscription')
  return {
    person,
    plan,
    id,
    vanish: () => app.fakeBepaid.accounts.subscriptions.delete(id),
    comeBack: () => app.fakeBepaid.accounts.subscriptions.set(id, stored),
    row: async () => {
      const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, id))
      if (!row) throw new Error('no row')
      return row
    },
    asksAt: async (ms: number) => {
      requests = 0
      await reconcilePending(app.payments, at(ms))
      return requests
    },
    odd: async () => (await app.owner.call(paymentEventsApi.table, { query: { query: id } })).items,
  }
}

test('a subscription with a 404 ends only after three more checks (S10.60)', async () => {
  const { person, plan, vanish, row, asksAt, odd } = await aSubscriber()
  vanish()
  expect(await asksAt(0)).toBe(1)
  expect(await asksAt(0.9 * HOUR)).toBe(0)
  expect(await asksAt(1.1 * HOUR)).toBe(1)
  expect(await asksAt(5 * HOUR)).toBe(0)
  expect(await asksAt(6.1 * HOUR)).toBe(1)
  expect(await asksAt(23 * HOUR)).toBe(0)
  expect(await row()).toMatchObject({ state: 'active', missingSince: at(0) })
  expect(await app.balance(person)).toMatchObject({ recurrent: true })
  const second = person.call(paymentsApi.subscriptionUrl, { query: { planId: plan.id } })
  await expect(second).rejects.toMatchObject({ status: 409 })
  expect(await odd()).toEqual([])
  expect(await asksAt(24.1 * HOUR)).toBe(1)
  expect(await row()).toMatchObject({ state: 'error', checkAt: null })
  expect(await odd()).toMatchObject([
    { kind: 'subscription', state: 'refused', problem: expect.stringContaining('такой подписки нет') },
  ])
})

test('a subscription that is back after a 404 continues unchanged', async () => {
  const { person, vanish, comeBack, row, asksAt } = await aSubscriber()
  vanish()
  await asksAt(0)
  comeBack()
  await asksAt(1.1 * HOUR)
  expect(await row()).toMatchObject({ state: 'active', missingSince: null })
  expect(await app.balance(person)).toMatchObject({ recurrent: true })
})

test('a subscription ended after a 404 returns when the gateway reports it', async () => {
  const { person, id, vanish, comeBack, row, asksAt, odd } = await aSubscriber()
  vanish()
  await asksAt(0)
  await asksAt(25 * HOUR)
  expect(await row()).toMatchObject({ state: 'error' })
  comeBack()
  await app.notify(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription ?? {})
  const [order] = await app.ordersOf(person)
  await app.owner.call(paymentsApi.check, { params: { id: order?.id ?? '' } })
  expect(await row()).toMatchObject({ state: 'active', missingSince: null })
  expect(await app.balance(person)).toMatchObject({ recurrent: true, availableTokens: 1000 })
  expect(await odd()).toEqual([])
})

test('a subscription that returns after another purchase is not charged again', async () => {
  const { person, plan, id, vanish, comeBack, row, asksAt } = await aSubscriber()
  vanish()
  await asksAt(0)
  await asksAt(25 * HOUR)
  const newer = await app.subscribe(person, plan.id)
  comeBack()
  await app.control('renew', { id })
  expect(await row()).toMatchObject({ cancelRequestedAt: expect.any(Date) })
  await reconcilePending(app.payments)
  const stateOf = (name: string) => app.fakeBepaid.accounts.subscriptions.get(name)?.subscription.state
  expect([stateOf(id), stateOf(newer)]).toEqual(['canceled', 'active'])
  expect(await app.balance(person)).toMatchObject({ recurrent: true, availableTokens: 3000 })
})

test('cancelling during a 404 works and is sent when the subscription returns (S10.60)', async () => {
  const { person, id, vanish, comeBack, row } = await aSubscriber()
  vanish()
  expect((await person.call(paymentsApi.cancel, {})).SingleSubscription).toMatchObject({
    recurrent: false,
    availableTokens: 1000,
  })
  expect(await row()).toMatchObject({ state: 'active', canceledAt: null })
  comeBack()
  await reconcilePending(app.payments, new Date(Date.now() + 1.1 * HOUR))
  await app.fakeBepaid.webhookSender.idle()
  expect(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription.state).toBe('canceled')
  expect(await row()).toMatchObject({ state: 'canceled', missingSince: null })
})

test('cancelling works after the subscription was ended for a 404 too', async () => {
  const { person, id, vanish, comeBack, row, asksAt } = await aSubscriber()
  vanish()
  await asksAt(0)
  await asksAt(25 * HOUR)
  comeBack()
  await person.call(paymentsApi.cancel, {})
  expect(app.fakeBepaid.accounts.subscriptions.get(id)?.subscription.state).toBe('canceled')
  expect(await row()).toMatchObject({ state: 'canceled', canceledAt: expect.any(Date) })
})
