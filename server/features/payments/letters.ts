import { and, eq } from 'drizzle-orm'
import type { Plan } from '#contract/plans.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, type orders, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import {
  canceledLetter,
  paidLetter,
  planChangedLetter,
  renewalFailedLetter,
  renewalSoonLetter,
  renewedLetter,
} from '#server/mail/letters/payments.ts'
import { daysInWords, sumInWords, symbolsInWords } from '#server/mail/letters/words.ts'
import { queueEmail } from '#server/mail/outbox.ts'
import { type PaymentWorld, profileUrl } from './world.ts'

type Order = typeof orders.$inferSelect
type News = 'canceled' | 'renewal-failed' | 'ended' | 'renewal-soon'

/** The letter of a payment that went through; `until` is null for what does not run out. */
export async function tellPaid(db: Db, world: PaymentWorld, order: Order, until: Date | null): Promise<void> {
  const to = order.userId && (await addressOf(db, order.userId))
  if (!to) return
  const { kind, title, symbols, amount, currency, receiptUrl } = order
  const letter = { to, appName: world.appName, url: profileUrl(world), title, symbols, amount, currency, receiptUrl }
  const written = kind === 'renewal' && until ? renewedLetter({ ...letter, until }) : paidLetter({ ...letter, until })
  await queueEmail(db, `paid:${order.id}`, written)
}

/** Letters about a subscription; nobody is written to about one that was never paid for. */
export async function tellOfSubscription(db: Db, world: PaymentWorld, id: string, news: News): Promise<void> {
  const [row] = await subscribers(db).where(eq(subscriptions.id, id))
  if (!row?.activeTo) return
  const { email: to, plan, price, currency, activeTo, renewAt, cycles } = row
  const letter = { to, appName: world.appName, url: profileUrl(world), plan, price, currency }
  // Once for a period, however often its state goes back and forth.
  const key = `${news}:${id}:${cycles}`
  if (news === 'canceled') return queueEmail(db, key, canceledLetter({ ...letter, until: activeTo }))
  if (news !== 'renewal-soon') return queueEmail(db, key, renewalFailedLetter({ ...letter, final: news === 'ended' }))
  const at = renewAt ?? activeTo
  await queueEmail(db, `${news}:${id}:${at.toISOString()}`, renewalSoonLetter({ ...letter, at }))
}

/** Everybody whose subscription to this plan goes on learns what it is sold for now. */
export async function tellSubscribers(db: Db, world: PaymentWorld, changed: Plan, versionId: string): Promise<void> {
  const rows = await subscribers(db).where(and(eq(planVersions.planId, changed.id), liveSubscription()))
  const { symbols, price: newSum, currency: newCurrency, intervalDays } = changed
  const newPrice = `${sumInWords(newSum, newCurrency)} за ${symbolsInWords(symbols)} на ${daysInWords(intervalDays)}`
  for (const { id, email: to, plan, price, currency } of rows) {
    const letter = { to, appName: world.appName, url: profileUrl(world), plan, price, currency }
    await queueEmail(db, `plan-changed:${versionId}:${id}`, planChangedLetter({ ...letter, newPrice }))
  }
}

function subscribers(db: Db) {
  return db
    .select({
      id: subscriptions.id,
      email: users.email,
      plan: plans.name,
      price: planVersions.price,
      currency: planVersions.currency,
      activeTo: subscriptions.activeTo,
      renewAt: subscriptions.renewAt,
      cycles: subscriptions.paidBillingCycles,
    })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
}

async function addressOf(db: Db, userId: string): Promise<string | null> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? null
}
