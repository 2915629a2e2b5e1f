import { and, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AdminOrder, OrderFilter, OrderQuery, OrderTotals, orderSorts } from '#contract/orders-admin.ts'
import { COUNTED_AT_MOST } from '#contract/transactions-admin.ts'
import type { Db } from '#server/db/client.ts'
import { orders, planVersions, users } from '#server/db/schema.ts'
import { countUpTo, orderByClause } from '#server/db/table-page.ts'
import type { Ctx } from '#server/http/context.ts'
import { startOfDay } from '../billing/days.ts'
import { isOfPeople } from '../billing/people-found.ts'
import { type OrderRow, shown } from './orders.ts'

/** Everybody's orders, for the owner. */

const sortable = {
  createdAt: orders.createdAt,
  // What was never paid was paid last of all.
  paidAt: sql`coalesce(${orders.paidAt}, '-infinity')`,
  amount: orders.amount,
  symbols: orders.symbols,
} satisfies Record<(typeof orderSorts)[number], unknown>

export async function orderTable({ db }: Ctx, { page, size, sort = '-createdAt', ...filter }: OrderQuery) {
  const where = await ordersWhere(db, filter)
  const rows = await db
    .select()
    .from(orders)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, orders.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await promptTableOrders(db, rows), ...(await countUpTo(db, orders, where, COUNTED_AT_MOST)) }
}

export async function ordersWhere(db: Db, filter: OrderFilter): Promise<SQL | undefined> {
  const { query, status, kind, userId, planId, bundleId, from, to, amountFrom, amountTo } = filter
  const versions = db
    .select({ id: planVersions.id })
    .from(planVersions)
    .where(eq(planVersions.planId, planId ?? ''))
  return and(
    query?.trim() ? await isMeant(db, query.trim()) : undefined,
    status && eq(orders.status, status),
    kind && eq(orders.kind, kind),
    userId ? eq(orders.userId, userId) : undefined,
    planId ? inArray(orders.planVersionId, versions) : undefined,
    bundleId ? eq(orders.bundleId, bundleId) : undefined,
    from ? gte(orders.createdAt, startOfDay(from)) : undefined,
    to ? lt(orders.createdAt, startOfDay(to, 1)) : undefined,
    amountFrom === undefined ? undefined : gte(orders.amount, amountFrom),
    amountTo === undefined ? undefined : lte(orders.amount, amountTo),
  )
}

async function isMeant(db: Db, text: string): Promise<SQL | undefined> {
  const people = await isOfPeople(db, orders.userId, text)
  return or(people ?? undefined, eq(orders.id, text), eq(orders.gatewayUid, text))
}

export async function promptTableOrders(db: Db, rows: OrderRow[]): Promise<AdminOrder[]> {
  const ids = [...new Set(rows.flatMap(({ userId }) => userId ?? []))]
  const people =
    ids.length > 0
      ? await db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids))
      : []
  const emails = new Map(people.map(({ id, email }) => [id, email]))
  return rows.map((row) => {
    const { userId, refundedAmount, gatewayUid, discountPercent } = row
    return {
      ...shown(row),
      userId,
      email: emails.get(userId ?? '') ?? null,
      refundedAmount,
      gatewayUid,
      discountPercent,
    }
  })
}

export async function orderTotals({ db }: Ctx, filter: OrderFilter): Promise<OrderTotals> {
  const { amount, refundedAmount, paidAt, currency } = orders
  const rows = await db
    .select({
      currency,
      orders: sql<string>`count(*)`,
      paid: sql<string>`count(*) filter (where ${paidAt} is not null)`,
      sum: sql<string>`coalesce(sum(${amount}) filter (where ${paidAt} is not null), 0)`,
      refunded: sql<string>`coalesce(sum(${refundedAmount}), 0)`,
    })
    .from(orders)
    .where(await ordersWhere(db, filter))
    .groupBy(currency)
    .orderBy(currency)
  return {
    orders: rows.reduce((sum, row) => sum + Number(row.orders), 0),
    paid: rows.reduce((sum, row) => sum + Number(row.paid), 0),
    money: rows
      .map((row) => ({ currency: row.currency, paid: Number(row.sum), refunded: Number(row.refunded) }))
      .filter(({ paid, refunded }) => paid > 0 || refunded > 0),
  }
}
