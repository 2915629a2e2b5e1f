import { and, eq, exists, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, promoCodes, promoUses } from '#server/db/schema.ts'
import { refusal, takeUse, usablePromo } from './promo-redeem.ts'

export interface Discount {
  percent: number
  promoId: string
}

/** What a code takes off a plan for this user. Says no when it would not count; counting is `markDiscountUsed`. */
export async function discountFor(ctx: { db: Db; promoKey: Buffer }, userId: string, code: string): Promise<Discount> {
  const promo = await usablePromo(ctx, userId, code)
  if (promo.discountPercent === null) throw refusal('Этот код добавляет символы: примените его в профиле')
  const use = await findUse(ctx.db, userId, promo.id)
  if (use?.isPaid) throw refusal('Вы уже применили этот код')
  if (!use && promo.maxUses !== null && promo.uses >= promo.maxUses) throw refusal('Этот код уже использован')
  return { percent: promo.discountPercent, promoId: promo.id }
}

/**
 * Counts the code for an order, in the transaction that makes the order: of parallel orders only as many pass as the
 * code allows, the others are refused. Harmless to repeat. Whoever begins anew before paying takes his use along.
 */
export async function markDiscountUsed(db: Db, userId: string, promoId: string, orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const use = await findUse(tx, userId, promoId)
    if (!use) return takeUse(tx, promoId, userId, orderId)
    if (use.orderId === orderId) return
    if (use.isPaid) throw refusal('Вы уже применили этот код')
    await tx.update(promoUses).set({ orderId }).where(usedBy(userId, promoId))
  })
}

/** Nothing came of the order: the code may be used again. */
export async function releaseDiscount(db: Db, orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const freed = await tx.delete(promoUses).where(eq(promoUses.orderId, orderId)).returning()
    for (const { promoId } of freed) {
      await tx
        .update(promoCodes)
        .set({ uses: sql`${promoCodes.uses} - 1` })
        .where(eq(promoCodes.id, promoId))
    }
  })
}

async function findUse(db: Db, userId: string, promoId: string) {
  const [use] = await db
    .select({ orderId: promoUses.orderId, isPaid: exists(db.select().from(orders).where(paidWith(userId, promoId))) })
    .from(promoUses)
    .where(usedBy(userId, promoId))
  return use
}

const usedBy = (userId: string, promoId: string) => and(eq(promoUses.promoId, promoId), eq(promoUses.userId, userId))
const paidWith = (userId: string, promoId: string) =>
  and(eq(orders.userId, userId), eq(orders.promoId, promoId), isNotNull(orders.paidAt))
