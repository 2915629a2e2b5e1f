import { eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { grants, orders, subscriptions } from '#server/db/schema.ts'
import { noFaults } from '#server/payments/fake-yookassa/accounts.ts'
import type { NewCharge } from '#server/payments/gateway.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { propertyRuns } from '#server/testing/property-runs.ts'
import { reconcilePending } from './poll-gateway.ts'
import { startYookassaApp } from './testing/yookassa-app.ts'

const DAY = 86_400_000

const app = await startYookassaApp()
const { shop } = app
afterEach(() => void vi.useRealTimers())
const plan = await app.aPlan()

/** A process that dies: before the request is sent, or after it was carried out and before anything is stored. */
const crash = { before: 0, after: 0 }
class Killed extends Error {}

const yookassa = app.payments.shops.yookassa
if (!yookassa) throw new Error('no shop')
const gateway = {
  ...yookassa.gateway,
  chargeMethod: async (charge: NewCharge) => {
    if (crash.before-- > 0) throw new Killed()
    const made = await yookassa.gateway.chargeMethod(charge)
    if (crash.after-- > 0) throw new Killed()
    return made
  },
}
const payments = { ...app.payments, shops: { ...app.payments.shops, yookassa: { ...yookassa, gateway } } }

const step = fc.record({
  days: fc.constantFrom<number[]>(0, 0.01, 1.1, 5.5, 30),
  jobs: fc.integer({ min: 1, max: 3 }),
  crash: fc.constantFrom(null, 'before', 'after'),
  fault: fc.constantFrom(null, 'failed', 'pendingCharges', 'lost', 'doubled', 'foreign'),
  decline: fc.constantFrom(null, 'insufficient_funds', 'internal_timeout'),
  cancels: fc.constantFrom(false, false, false, false, false, false, true),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const state = { now: Date.now() }

async function run(person: SignedIn, { days, jobs, crash: dies, fault, decline, cancels }: Step): Promise<void> {
  if (cancels) await cancel(person)
  state.now += days * DAY
  vi.useFakeTimers({ toFake: ['Date'], now: state.now })
  Object.assign(shop.faults, noFaults(), fault ? { [fault]: 1 } : {}, { declined: decline ? [decline] : [] })
  Object.assign(crash, { before: dies === 'before' ? 1 : 0, after: dies === 'after' ? 1 : 0 })
  await Promise.all(Array.from({ length: jobs }, () => reconcilePending(payments, new Date(state.now))))
  await shop.idle()
}

/** Sessions end by the clock of the database, so people act at the real time. */
async function cancel(person: SignedIn): Promise<void> {
  vi.useRealTimers()
  await person.call(paymentsApi.cancel, {}).catch((error: unknown) => expect(error).toMatchObject({ status: 404 }))
}

/** Every order of the person with what the gateway has charged for it. */
async function charges({ user }: SignedIn) {
  const own = await app.db.select().from(orders).where(eq(orders.userId, user.id))
  const paid = [...shop.payments.values()].filter(({ status }) => status === 'succeeded')
  return own.map((order) => ({
    order,
    charged: paid.filter(({ metadata }) => metadata.order === `${order.kind}:${order.id}`).length,
  }))
}

test('no period is charged twice, and every charge counts (S10.923)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      vi.useRealTimers()
      state.now = Date.now()
      Object.assign(shop.faults, noFaults())
      const person = await app.signIn()
      await app.subscribe(person, plan.id)
      for (const one of steps) await run(person, one)
      // Without faults everything that is open ends.
      for (const payment of shop.payments.values()) if (payment.status === 'pending') shop.pay(payment.id)
      const quiet = { jobs: 1, crash: null, fault: null, decline: null, cancels: false }
      for (const days of [0.1, 0.3, 1.2]) await run(person, { ...quiet, days })
      const made = await charges(person)
      for (const { order, charged } of made) {
        expect(charged).toBeLessThanOrEqual(1)
        expect(order.paidAt !== null).toBe(charged === 1)
      }
      const paidIds = made.filter(({ charged }) => charged === 1).map(({ order }) => order.id)
      expect(await app.db.$count(grants, inArray(grants.orderId, paidIds))).toBe(paidIds.length)
      const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.userId, person.user.id))
      expect(row?.paidBillingCycles).toBe(paidIds.length)
      // A period that was paid twice would reach further than one period from now.
      expect(row?.activeTo?.getTime()).toBeLessThanOrEqual(state.now + 30 * DAY)
      await app.db
        .update(subscriptions)
        .set({ cancelRequestedAt: new Date(), checkAt: null })
        .where(eq(subscriptions.userId, person.user.id))
    }),
    { numRuns: propertyRuns(25), includeErrorInReport: true },
  )
})
