import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import { liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import { askAboutOrder, askAboutSubscription } from './ask-gateway.ts'
import { cancelAtGateway } from './cancel.ts'
import { nextCheck } from './check-times.ts'
import type { OrderRow } from './orders.ts'
import { expireOrder, type SubscriptionRow } from './subscriptions.ts'
import type { PaymentWorld } from './world.ts'

const BATCH = 100
const HOUR_MS = 3_600_000

/**
 * Makes up for notices that never came: asks about unpaid orders, about subscriptions that should have renewed, and
 * tells the gateway of cancellations it has not heard. Safe to run at any time, twice at once too.
 */
export async function healPayments(world: PaymentWorld, now = new Date()): Promise<number> {
  if (!world.shop) return 0
  await cancelOwnerless(world, now)
  const unpaid = await world.db
    .select()
    .from(orders)
    .where(and(isNull(orders.paidAt), lte(orders.checkAt, now)))
    .orderBy(asc(orders.checkAt))
    .limit(BATCH)
  for (const order of unpaid) await attempt(world, order.id, () => healOrder(world, order))
  const due = await world.db
    .select()
    .from(subscriptions)
    .where(lte(subscriptions.checkAt, now))
    .orderBy(asc(subscriptions.checkAt))
    .limit(BATCH)
  for (const row of due) await attempt(world, row.id, () => healSubscription(world, row, now))
  return unpaid.length + due.length
}

/** The next question is written down first: an order that cannot be asked about must not hold up the others. */
async function healOrder(world: PaymentWorld, order: OrderRow): Promise<void> {
  const checkAt = nextCheck(order.createdAt, order.checks + 1)
  await world.db
    .update(orders)
    .set({ checkAt, checks: order.checks + 1 })
    .where(and(eq(orders.id, order.id), isNull(orders.paidAt)))
  await askAboutOrder(world, order)
  if (!checkAt) await world.db.transaction((tx) => expireOrder(tx, order.id))
}

async function healSubscription(world: PaymentWorld, row: SubscriptionRow, now: Date): Promise<void> {
  const checkAt = new Date(now.getTime() + HOUR_MS)
  await world.db.update(subscriptions).set({ checkAt }).where(eq(subscriptions.id, row.id))
  if (row.cancelRequestedAt) return cancelAtGateway(world, row)
  await askAboutSubscription(world, row)
}

/** Whoever deleted the account is not charged again. */
async function cancelOwnerless({ db }: PaymentWorld, now: Date): Promise<void> {
  await db
    .update(subscriptions)
    .set({ cancelRequestedAt: now, checkAt: now })
    .where(and(isNull(subscriptions.userId), liveSubscription()))
}

async function attempt(world: PaymentWorld, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    world.log?.error({ err: error, id }, 'a payment could not be checked')
  }
}
