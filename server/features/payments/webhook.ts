import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { GatewayCheckout, GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { paymentOf, unlessSilent } from './ask-gateway.ts'
import { lockOrder, lockPayment, orderIdIn } from './orders.ts'
import { Refusal } from './refusals.ts'
import { takeReversal } from './reversals.ts'
import { applySubscription, expireOrder, usualEnd } from './subscriptions.ts'
import { paymentIn, takePayment } from './take-payment.ts'
import { openedShop, type PaymentWorld } from './world.ts'

/** Applies news in the transaction it is given; false when they are of nothing that we know. */
type Apply = (tx: Db) => Promise<boolean>

interface Notice {
  /** The same news has the same key, however often it comes. */
  key: string
  /** Asks the gateway whatever must be known first: inside the transaction there is no time for that. */
  prepare: (world: PaymentWorld) => Promise<Apply>
}

/** What the gateway sends: authenticated, kept, applied once. Refused news are kept too, and tried again when repeated. */
export async function receiveNotice(world: PaymentWorld, body: Buffer, headers: Headers): Promise<void> {
  if (!openedShop(world).isGenuine(body, headers)) throw new AppError('unauthorized', 'Подпись не сошлась.')
  const content = readJson(body)
  const notice = readNotice(content)
  if (await isProcessed(world.db, notice.key, content)) return
  try {
    const apply = await notice.prepare(world)
    await world.db.transaction((tx) => processOnce(tx, notice.key, apply))
  } catch (error) {
    if (error instanceof Refusal) {
      world.log?.error({ key: notice.key, reason: error.message }, 'news of the payment gateway was refused')
      await world.db.update(paymentEvents).set({ problem: error.message }).where(ofKey(notice.key))
    }
    throw error
  }
}

async function isProcessed(db: Db, dedupeKey: string, body: unknown): Promise<boolean> {
  const [event] = await db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, body })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: { deliveries: sql`${paymentEvents.deliveries} + 1` },
    })
    .returning({ processedAt: paymentEvents.processedAt })
  return event?.processedAt != null
}

async function processOnce(tx: Db, key: string, apply: Apply): Promise<void> {
  const [event] = await tx.select().from(paymentEvents).where(ofKey(key)).for('update')
  if (event?.processedAt) return
  const known = await apply(tx)
  await tx.update(paymentEvents).set({ processedAt: new Date(), orphan: !known, problem: null }).where(ofKey(key))
}

const ofKey = (key: string) => eq(paymentEvents.dedupeKey, key)

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('bad_request', 'Тело запроса не читается как JSON.')
  }
}

/** Three shapes: a payment, a subscription, a pay page that closed. What else may come is kept as it is. */
function readNotice(content: unknown): Notice {
  const transaction = z.object({ transaction: GatewayTransaction }).safeParse(content)
  if (transaction.success) return ofTransaction(transaction.data.transaction)
  const subscription = GatewaySubscription.safeParse(content)
  if (subscription.success) return ofSubscription(subscription.data)
  const page = GatewayCheckout.extend({ expired: z.literal(true) }).safeParse(content)
  if (page.success) return ofClosedPage(page.data)
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return { key: `unknown:${hash}`, prepare: async () => async () => false }
}

function ofTransaction(transaction: GatewayTransaction): Notice {
  const { uid, type, status } = transaction
  return {
    key: `tx:${uid}:${type}:${status}`,
    prepare: (world) => (type === 'payment' ? ofPayment(world, transaction) : reversal(world, transaction)),
  }
}

const reversal = async (world: PaymentWorld, transaction: GatewayTransaction): Promise<Apply> => {
  return (tx) => takeReversal(tx, world, transaction)
}

/** A payment for a plan says nothing of its period, so the subscription is asked for. */
async function ofPayment(world: PaymentWorld, transaction: GatewayTransaction): Promise<Apply> {
  const orderId = orderIdIn(transaction.tracking_id)
  const payment = paymentIn(transaction)
  const [row] = orderId
    ? await world.db
        .select({ gatewayId: subscriptions.gatewayId })
        .from(orders)
        .innerJoin(subscriptions, eq(subscriptions.id, orders.subscriptionId))
        .where(and(eq(orders.id, orderId), eq(orders.kind, 'plan')))
    : []
  const told = row ? await unlessSilent(openedShop(world).gateway.subscription(row.gatewayId)) : null
  return async (tx) => {
    if (payment) await lockPayment(tx, payment.uid)
    if (told) return applySubscription(tx, world, told, payment)
    const base = await lockOrder(tx, orderId)
    if (!base) return false
    if (!payment) return true
    const { subscriptionId, kind } = base
    const period = kind === 'bundle' ? null : { subscriptionId, endsAt: await usualEnd(tx, base, payment.paidAt) }
    await takePayment(tx, world, base, payment, period)
    return true
  }
}

function ofSubscription(told: GatewaySubscription): Notice {
  return {
    key: `sub:${told.id}:${told.state}:${told.last_transaction?.uid ?? 'none'}`,
    prepare: async (world) => {
      const payment = await paymentOf(world, told)
      return async (tx) => {
        if (payment) await lockPayment(tx, payment.uid)
        return applySubscription(tx, world, told, payment)
      }
    },
  }
}

function ofClosedPage({ token, order }: GatewayCheckout): Notice {
  return {
    key: `token:${token}:expired`,
    prepare: async () => async (tx) => {
      const [known] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.gatewayToken, token))
      const locked = await lockOrder(tx, known?.id ?? orderIdIn(order.tracking_id))
      if (!locked) return false
      if (!locked.gatewayToken || locked.gatewayToken === token) await expireOrder(tx, locked.id)
      return true
    },
  }
}
