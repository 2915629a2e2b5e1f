import { and, count, desc, eq, isNotNull, sql, sum } from 'drizzle-orm'
import type { PromoStatistics } from '#contract/promocodes.ts'
import type { Db } from '#server/db/client.ts'
import { ledger, orders, planVersions, promoUses, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { readPromoCode } from './promo-codes.ts'

const RECENT = 50

/** What a code has done so far: who used it, what was given, what was paid with it. */
export async function promoStatistics(ctx: Ctx, id: string): Promise<PromoStatistics> {
  const { uses } = await readPromoCode(ctx, id)
  const paid = await paidWith(ctx.db, id)
  return {
    uses,
    symbols: await givenBy(ctx.db, id),
    orders: paid.reduce((all, { orders }) => all + orders, 0),
    revenue: paid.map(({ currency, revenue }) => ({ amount: Number(revenue), currency })),
    discount: paid.map(({ currency, discount }) => ({ amount: Number(discount), currency })),
    recent: await recentUses(ctx.db, id),
  }
}

/** The key of the entry with which a use was granted; see `redeem`. */
const entryKey = sql`'promo:' || ${promoUses.promoId} || ':' || ${promoUses.userId}`

async function givenBy(db: Db, id: string): Promise<number> {
  const [given] = await db
    .select({ symbols: sum(ledger.symbols) })
    .from(promoUses)
    .innerJoin(ledger, eq(ledger.key, entryKey))
    .where(eq(promoUses.promoId, id))
  return Number(given?.symbols ?? 0)
}

async function paidWith(db: Db, id: string) {
  return db
    .select({
      currency: orders.currency,
      orders: count(),
      revenue: sql<string>`sum(${orders.amount} - ${orders.refundedAmount})`,
      discount: sql<string>`coalesce(sum(${planVersions.price} - ${orders.amount}), 0)`,
    })
    .from(orders)
    .leftJoin(planVersions, eq(planVersions.id, orders.planVersionId))
    .where(and(eq(orders.promoId, id), isNotNull(orders.paidAt)))
    .groupBy(orders.currency)
    .orderBy(orders.currency)
}

async function recentUses(db: Db, id: string): Promise<PromoStatistics['recent']> {
  const rows = await db
    .select({
      userId: promoUses.userId,
      email: users.email,
      at: promoUses.createdAt,
      symbols: ledger.symbols,
      amount: orders.amount,
      currency: orders.currency,
      status: orders.status,
    })
    .from(promoUses)
    .innerJoin(users, eq(users.id, promoUses.userId))
    .leftJoin(ledger, eq(ledger.key, entryKey))
    .leftJoin(orders, eq(orders.id, promoUses.orderId))
    .where(eq(promoUses.promoId, id))
    .orderBy(desc(promoUses.createdAt), desc(promoUses.userId))
    .limit(RECENT)
  return rows.map(({ at, amount, currency, status, ...use }) => ({
    ...use,
    at: at.toISOString(),
    order: amount !== null && currency !== null && status !== null ? { amount, currency, status } : null,
  }))
}
