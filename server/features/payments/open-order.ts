import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { holdsDiscount, markDiscountUsed } from '../billing/promo-discount.ts'
import { FIRST_CHECK_MS } from './check-times.ts'
import type { OrderRow } from './orders.ts'
import { expireOrder } from './subscriptions.ts'

export interface OrderDraft {
  userId: string
  kind: 'plan' | 'bundle'
  planVersionId?: string
  bundleId?: string
  title: string
  symbols: number
  amount: number
  currency: string
  promoId?: string | null
  discountPercent?: number | null
}

type Opened = OrderRow & {
  isNew: boolean
  /** The order whose discount this one has now. */
  replacedId: string | null
}

/** How long the gateway keeps a pay page. */
export const PAGE_LIFE_MS = 24 * 3_600_000
/** A page about to close is not handed out again. */
const TOO_LATE_MS = 10 * 60_000
/** After this nobody is having the page made any more: whoever began has died. */
const GIVEN_UP_MS = 90_000

/**
 * The open order for this purchase: a new one, or the one that is open already, so that going back and forth, or two
 * tabs, lead to one pay page. The database keeps them from being two.
 */
export async function openOrder(db: Db, draft: OrderDraft): Promise<Opened> {
  return db.transaction(async (tx) => {
    for (;;) {
      const fresh = await insertOrder(tx, draft)
      if (fresh) return { ...fresh, isNew: true }
      const [open] = await tx.select().from(orders).where(sameOpen(draft)).for('update')
      const isSame = open && isUsable(open, draft) && (await holdsDiscount(tx, open))
      if (isSame) return { ...open, isNew: false, replacedId: null }
      if (open) await expireOrder(tx, open.id)
    }
  })
}

async function insertOrder(tx: Db, draft: OrderDraft): Promise<Omit<Opened, 'isNew'> | undefined> {
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

function sameOpen({ userId, kind, planVersionId, bundleId, promoId }: OrderDraft) {
  return and(
    eq(orders.userId, userId),
    eq(orders.kind, kind),
    eq(orders.status, 'pending'),
    planVersionId ? eq(orders.planVersionId, planVersionId) : undefined,
    bundleId ? eq(orders.bundleId, bundleId) : undefined,
    promoId ? eq(orders.promoId, promoId) : isNull(orders.promoId),
  )
}

function isUsable(open: OrderRow, { amount, symbols, currency }: OrderDraft): boolean {
  const sameTerms = open.amount === amount && open.symbols === symbols && open.currency === currency
  const now = Date.now()
  const alive = open.redirectExpiresAt
    ? open.redirectExpiresAt.getTime() > now + TOO_LATE_MS
    : open.createdAt.getTime() > now - GIVEN_UP_MS
  return sameTerms && alive
}
