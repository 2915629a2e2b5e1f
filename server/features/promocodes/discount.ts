import { and, eq, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, promoCodes, promoUses } from '#server/db/schema.ts'
import { hasPersonClaimed } from '../billing/identity-hashes.ts'
import { uncount } from '../statistics/sums.ts'
import type { PromoKeys } from './promocodes.ts'
import { ALREADY_USED, codeRejection, countCodeUse, usablePromo } from './redeem.ts'

export interface Discount {
  percent: number
  promoId: string
}

/** Does not count a use; `markDiscountUsed` does. */
export async function discountFor(ctx: PromoKeys & { db: Db }, userId: string, code: string): Promise<Discount> {
  const promo = await usablePromo(ctx, userId, code)
  if (promo.discountPercent === null) throw codeRejection('Этот код добавляет символы: примените его в профиле')
  if (await hasPersonClaimed(ctx.db, ctx.identityKey, userId, `promo:${promo.id}`)) throw codeRejection(ALREADY_USED)
  if (await isPaid(ctx.db, userId, promo.id)) throw codeRejection(ALREADY_USED)
  const isTaken = (await ctx.db.$count(promoUses, usedBy(userId, promo.id))) > 0
  if (!isTaken && promo.maxUses !== null && promo.uses >= promo.maxUses) throw codeRejection('Этот код уже использован')
  return { percent: promo.discountPercent, promoId: promo.id }
}

/**
 * Counts the code for an order, in the transaction that creates the order. Safe to repeat and in parallel. A new order
 * before payment takes over the use of the earlier one, whose id is returned, so that its pay page can be closed.
 */
export async function markDiscountUsed(
  db: Db,
  userId: string,
  promoId: string,
  orderId: string,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const use = await lockUse(tx, userId, promoId)
    if (!use) await countCodeUse(tx, promoId, userId, orderId)
    if (!use || use.orderId === orderId) return null
    if (await isPaid(tx, userId, promoId)) throw codeRejection(ALREADY_USED)
    await tx.update(promoUses).set({ orderId }).where(usedBy(userId, promoId))
    return use.orderId
  })
}

/**
 * Whether this order has the discount, checked when it is paid: of all orders opened with one use the first paid one
 * gets it. The caller holds the lock of the order.
 */
export async function claimDiscount(
  tx: Db,
  { userId, promoId, orderId }: { userId: string; promoId: string; orderId: string },
): Promise<boolean> {
  const use = await lockUse(tx, userId, promoId)
  if (!use) return retakeUse(tx, userId, promoId, orderId)
  if (use.orderId === orderId) return true
  if (await isPaid(tx, userId, promoId, orderId)) return false
  await tx.update(promoUses).set({ orderId }).where(usedBy(userId, promoId))
  return true
}

/** The order had expired before it was paid. The terms of the code when the order was created still apply. */
async function retakeUse(tx: Db, userId: string, promoId: string, orderId: string): Promise<boolean> {
  const [use] = await tx.insert(promoUses).values({ promoId, userId, orderId }).onConflictDoNothing().returning()
  if (!use) return claimDiscount(tx, { userId, promoId, orderId })
  const { id, uses, maxUses } = promoCodes
  const [counted] = await tx
    .update(promoCodes)
    .set({ uses: sql`${uses} + 1` })
    .where(and(eq(id, promoId), or(isNull(maxUses), lt(uses, maxUses))))
    .returning({ id })
  if (!counted) await tx.delete(promoUses).where(usedBy(userId, promoId))
  return counted !== undefined
}

/** An open order keeps its lower price only while it has the use of the code. */
export async function hasDiscount(
  db: Db,
  { id, userId, promoId }: { id: string; userId: string | null; promoId: string | null },
): Promise<boolean> {
  if (!promoId) return true
  return (await db.$count(promoUses, and(usedBy(userId ?? '', promoId), eq(promoUses.orderId, id)))) > 0
}

/** The order was not paid: the code may be used again. */
export async function releaseDiscount(db: Db, orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const freed = await tx.delete(promoUses).where(eq(promoUses.orderId, orderId)).returning()
    for (const { promoId, createdAt } of freed) {
      await uncount(tx, { metric: 'promo_uses', at: createdAt })
      await tx
        .update(promoCodes)
        .set({ uses: sql`${promoCodes.uses} - 1` })
        .where(eq(promoCodes.id, promoId))
    }
  })
}

async function lockUse(tx: Db, userId: string, promoId: string) {
  const [use] = await tx
    .select({ orderId: promoUses.orderId })
    .from(promoUses)
    .where(usedBy(userId, promoId))
    .for('update')
  return use
}

async function isPaid(db: Db, userId: string, promoId: string, except = ''): Promise<boolean> {
  const paid = and(
    eq(orders.userId, userId),
    eq(orders.promoId, promoId),
    isNotNull(orders.paidAt),
    ne(orders.id, except),
  )
  return (await db.$count(orders, paid)) > 0
}

const usedBy = (userId: string, promoId: string) => and(eq(promoUses.promoId, promoId), eq(promoUses.userId, userId))
