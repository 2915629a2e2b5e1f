import { and, eq, isNull } from 'drizzle-orm'
import type { GatewayName } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { orders, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { hasDiscount, markDiscountUsed } from '../promocodes/discount.ts'
import { cancelAtGateway } from './cancel.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { lockOrder, type OrderRow } from './orders.ts'
import { FIRST_CHECK_MS } from './subscription-state.ts'
import { expireOrder } from './subscriptions.ts'

export interface OrderDraft {
  userId: string
  gateway: GatewayName
  kind: 'plan' | 'bundle'
  planVersionId?: string
  bundleId?: string
  title: string
  symbols: number
  amount: number
  currency: string
  method?: string | null
  /** Absent for what never renews by itself. */
  renews?: boolean
  promoId?: string | null
  discountPercent?: number | null
  /** The subscription that this order takes the place of. */
  replacesId?: string
}

type OpenOrder = OrderRow & {
  isNew: boolean
  /** The order from which this one took over the discount. */
  replacedId: string | null
}

/** The gateway closes a pay page after this time. */
const pageLifeMs: Record<GatewayName, number> = { bepaid: 24 * 3_600_000, yookassa: 3_600_000 }

export const pageEndOf = ({ createdAt, gateway }: OrderRow) => new Date(createdAt.getTime() + pageLifeMs[gateway])

/** A page that closes sooner than this is not reused. */
const REUSE_MARGIN_MS = 10 * 60_000
/** An order still without a page after this time belongs to a crashed request. */
const STALE_MS = 90_000

/**
 * Returns the open order for this purchase, or creates one, so that two tabs or going back and forth lead to one pay
 * page. A unique index prevents a second open order.
 */
export async function openOrder(db: Db, draft: OrderDraft): Promise<OpenOrder> {
  return db.transaction(async (tx) => {
    for (;;) {
      const created = await insertOrder(tx, draft)
      if (created) return { ...created, isNew: true }
      const [open] = await tx.select().from(orders).where(isSameOpenOrder(draft)).for('update')
      const isSame = open && isUsable(open, draft) && (await hasDiscount(tx, open))
      if (isSame) return { ...open, isNew: false, replacedId: null }
      if (open) await closePageOf(tx, open)
    }
  })
}

/** A page of ЮKassa cannot be closed: who still has it may pay, so its order is asked about. */
async function closePageOf(tx: Db, { id, gateway, gatewayToken }: OrderRow): Promise<void> {
  await expireOrder(tx, id)
  const checkAt = new Date(Date.now() + FIRST_CHECK_MS)
  if (gateway === 'yookassa' && gatewayToken) await tx.update(orders).set({ checkAt }).where(eq(orders.id, id))
}

async function insertOrder(tx: Db, draft: OrderDraft): Promise<Omit<OpenOrder, 'isNew'> | undefined> {
  const now = Date.now()
  const [order] = await tx
    .insert(orders)
    .values({ id: newId(now), createdAt: new Date(now), checkAt: new Date(now + FIRST_CHECK_MS), ...draft })
    .onConflictDoNothing()
    .returning()
  const { userId } = draft
  const replacedId = order?.promoId ? await markDiscountUsed(tx, userId, order.promoId, order.id) : null
  return order && { ...order, replacedId }
}

function isSameOpenOrder({ userId, kind, planVersionId, bundleId, promoId }: OrderDraft) {
  return and(
    eq(orders.userId, userId),
    eq(orders.kind, kind),
    eq(orders.status, 'pending'),
    planVersionId ? eq(orders.planVersionId, planVersionId) : undefined,
    bundleId ? eq(orders.bundleId, bundleId) : undefined,
    promoId ? eq(orders.promoId, promoId) : isNull(orders.promoId),
  )
}

function isUsable(open: OrderRow, draft: OrderDraft): boolean {
  const { amount, symbols, currency, replacesId = '' } = draft
  const sameWay = open.gateway === draft.gateway && open.method === (draft.method ?? null)
  const sameSum = sameWay && open.amount === amount && open.symbols === symbols && open.currency === currency
  const sameTerms = sameSum && (open.replacesId ?? '') === replacesId && open.renews === (draft.renews ?? true)
  const now = Date.now()
  const isOpen = open.redirectExpiresAt
    ? open.redirectExpiresAt.getTime() > now + REUSE_MARGIN_MS
    : open.createdAt.getTime() > now - STALE_MS
  return sameTerms && isOpen
}

/**
 * Closes an order whose discount went to another one, and its page at the gateway. If the gateway does not answer,
 * `reconcilePending` retries; a payment made on the page anyway is counted at the full price.
 */
export async function closeOrder(deps: PaymentDeps, id: string): Promise<void> {
  const now = new Date()
  const unused = await deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || order.paidAt) return null
    await closePageOf(tx, order)
    const { subscriptionId } = order
    const { activeTo, cancelRequestedAt } = subscriptions
    const open = and(eq(subscriptions.id, subscriptionId ?? ''), isNull(activeTo), isNull(cancelRequestedAt))
    const [row] = await tx.update(subscriptions).set({ cancelRequestedAt: now, checkAt: now }).where(open).returning()
    return row ?? null
  })
  if (!unused) return
  try {
    await cancelAtGateway(deps, unused, now)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof Rejection)) throw error
    deps.log?.warn({ err: error, orderId: id }, 'payments: pay page of a replaced order not closed yet')
  }
}
