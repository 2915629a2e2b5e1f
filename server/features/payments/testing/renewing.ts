import { and, eq } from 'drizzle-orm'
import { afterEach, vi } from 'vitest'
import { grants, orders, paymentMethods, renewals, subscriptions } from '#server/db/schema.ts'
import { noFaults } from '#server/payments/fake-yookassa/accounts.ts'
import type { SignedIn } from '#server/testing/app.ts'
import type { PaymentDeps } from '../deps.ts'
import { reconcilePending } from '../poll-gateway.ts'
import { startYookassaApp } from './yookassa-app.ts'

export const DAY = 86_400_000

/** Subscribers of the fake ЮKassa, and a clock that moves by days. */
export async function startRenewing() {
  const app = await startYookassaApp()
  const { shop, db } = app
  const started = Date.now()
  const plan = await app.aPlan({ name: 'Про' })
  afterEach(async () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    Object.assign(shop.faults, noFaults())
    // The next test charges its own subscribers only.
    await db.update(subscriptions).set({ cancelRequestedAt: new Date(), checkAt: null })
    await db.update(orders).set({ checkAt: null })
  })
  return {
    ...app,
    started,
    plan,
    /** The server's clock and its job, some days from now. */
    jobAfter: async (days: number, deps: PaymentDeps = app.payments): Promise<void> => {
      const at = started + days * DAY + 60_000
      vi.useFakeTimers({ toFake: ['Date'], now: at })
      await reconcilePending(deps, new Date(at))
      await shop.idle()
    },
    subscriber: async () => {
      const person = await app.signIn()
      const payment = await app.subscribe(person, plan.id)
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, person.user.id))
      return { person, payment, id: row?.id ?? '' }
    },
    rowOf: async (id: string) => (await db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0],
    renewalsOf: (id: string) => db.select().from(renewals).where(eq(renewals.subscriptionId, id)),
    methodsOf: ({ user }: SignedIn) =>
      db.select().from(paymentMethods).where(eq(paymentMethods.userId, user.id)).orderBy(paymentMethods.createdAt),
    /** What the gateway has charged for this person. */
    chargesOf: async ({ user }: SignedIn) => {
      const own = await db.select({ id: orders.id, kind: orders.kind }).from(orders).where(eq(orders.userId, user.id))
      const names = new Set(own.map(({ id, kind }) => `${kind}:${id}`))
      return [...shop.payments.values()].filter(({ paid, metadata }) => paid && names.has(metadata.order ?? '')).length
    },
    grantsOf: ({ user }: SignedIn) => db.$count(grants, and(eq(grants.userId, user.id), eq(grants.kind, 'plan'))),
    subjectsOf: async (person: SignedIn) => (await app.emailsTo(person)).map(({ subject }) => subject),
  }
}
