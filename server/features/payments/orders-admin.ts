import { and, arrayOverlaps, asc, desc, eq, gt, gte, inArray, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { AdminOrder, OrderCard, OrderFilter, OrderQuery, OrderTotals, orderSorts } from '#contract/orders-admin.ts'
import { gatewayTitles, type Order } from '#contract/payments.ts'
import { MAX_COUNTED_ROWS } from '#contract/transactions-admin.ts'
import { countUpTo, orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import {
  balances,
  grants,
  orders,
  paymentEvents,
  paymentProblems,
  planVersions,
  reversals,
  subscriptions,
} from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { notFound } from '#server/lib/errors.ts'
import { dayOf, startOfDay, timeCell } from '../billing/days.ts'
import { emailsOf, isOfMatchingUsers } from '../users/find-users.ts'
import { eventItems, problemItems } from './events-admin.ts'
import { maskBody } from './mask-body.ts'
import { findOrder, type OrderRow, toOrder, trackingIdOf, withDetails } from './orders.ts'

const sortable = {
  createdAt: orders.createdAt,
  // Unpaid orders sort as the oldest.
  paidAt: sql`coalesce(${orders.paidAt}, '-infinity')`,
  amount: orders.amount,
  symbols: orders.symbols,
} satisfies Record<(typeof orderSorts)[number], unknown>

export async function orderTable({ db }: Ctx, { page, size, sort = '-createdAt', ...filter }: OrderQuery) {
  const where = await ordersWhere(db, filter)
  const rows = db
    .select()
    .from(orders)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, orders.id))
    .limit(size)
    .offset((page - 1) * size)
  const [items, counted] = await Promise.all([
    rows.then((found) => toAdminOrders(db, found)),
    countUpTo(db, orders, where, MAX_COUNTED_ROWS),
  ])
  return { items, ...counted }
}

export async function ordersWhere(db: Db, filter: OrderFilter): Promise<SQL | undefined> {
  const { query, status, kind, userId, planId, bundleId, from, to, amountFrom, amountTo } = filter
  const versions = db
    .select({ id: planVersions.id })
    .from(planVersions)
    .where(eq(planVersions.planId, planId ?? ''))
  return and(
    query?.trim() ? await matchesQuery(db, query.trim()) : undefined,
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

async function matchesQuery(db: Db, text: string): Promise<SQL | undefined> {
  const ofUsers = await isOfMatchingUsers(db, orders.userId, text)
  return or(ofUsers ?? undefined, eq(orders.id, text), eq(orders.gatewayUid, text))
}

export async function toAdminOrders(db: Db, rows: OrderRow[]): Promise<AdminOrder[]> {
  const emails = await emailsOf(
    db,
    rows.flatMap(({ userId }) => userId ?? []),
  )
  const shown = rows.map((row) => {
    const { userId, refundedAmount, gateway, gatewayUid, discountPercent } = row
    return {
      ...toOrder(row),
      userId,
      email: emails.get(userId ?? '') ?? null,
      refundedAmount,
      gateway,
      gatewayUid,
      discountPercent,
    }
  })
  return withDetails(db, shown)
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

export async function orderCard({ db }: Ctx, id: string): Promise<OrderCard> {
  const row = await findOrder(db, id)
  const [order] = await toAdminOrders(db, [row])
  if (!order) throw notFound('Такого платежа нет')
  return {
    order,
    grant: await grantOf(db, row),
    subscription: await subscriptionOf(db, row),
    reversals: await reversalsOf(db, row),
    events: await eventsOf(db, row),
  }
}

async function grantOf(db: Db, { id }: OrderRow): Promise<OrderCard['grant']> {
  const [found] = await db
    .select({ grant: grants, balance: balances })
    .from(grants)
    .innerJoin(balances, eq(balances.userId, grants.userId))
    .where(eq(grants.orderId, id))
  if (!found) return null
  const { symbols, remaining, expiresAt } = found.grant
  // Held by running answers, which use the symbols of other grants first.
  const heldHere = Math.max(0, found.balance.held - (found.balance.total - remaining))
  return { symbols, remaining, takeable: remaining - heldHere, expiresAt: expiresAt?.toISOString() ?? null }
}

async function subscriptionOf(db: Db, { subscriptionId, id, paidAt }: OrderRow): Promise<OrderCard['subscription']> {
  if (!subscriptionId) return null
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId))
  if (!row) return null
  const isLater = and(
    eq(orders.subscriptionId, subscriptionId),
    ne(orders.id, id),
    gt(orders.paidAt, paidAt ?? new Date()),
  )
  return {
    gatewayId: row.gatewayId,
    state: row.state,
    activeTo: row.activeTo?.toISOString() ?? null,
    renewAt: row.renewAt?.toISOString() ?? null,
    card: row.cardLast4 && [row.cardBrand, `•••• ${row.cardLast4}`].filter(Boolean).join(' '),
    endsWithRefund: row.canceledAt === null && (await db.$count(orders, isLater)) === 0,
  }
}

async function reversalsOf(db: Db, { gatewayUid }: OrderRow): Promise<OrderCard['reversals']> {
  if (!gatewayUid) return []
  const rows = await db
    .select()
    .from(reversals)
    .where(eq(reversals.parentUid, gatewayUid))
    .orderBy(asc(reversals.createdAt))
  return rows.map(({ uid, kind, gateway, amount, currency, createdAt }) => {
    return { uid, kind, gateway, amount, currency, at: createdAt.toISOString() }
  })
}

const MAX_EVENTS = 50

/** Renewals have the same tracking id: an event that names another order's payment belongs to that order. */
async function eventsOf(db: Db, order: OrderRow): Promise<OrderCard['events']> {
  const own = [order.gatewayUid, order.gatewayToken].filter((name) => name !== null)
  const ofAnother = sql`exists (select 1 from ${orders} o where o.gateway_uid = any(${paymentEvents.refs}) and o.id <> ${order.id})`
  const rows = await db
    .select()
    .from(paymentEvents)
    .where(
      or(
        own.length > 0 ? arrayOverlaps(paymentEvents.refs, own) : undefined,
        and(arrayOverlaps(paymentEvents.refs, [trackingIdOf(order)]), sql`not ${ofAnother}`),
      ),
    )
    .orderBy(asc(paymentEvents.receivedAt), asc(paymentEvents.id))
    .limit(MAX_EVENTS)
  const events = (await eventItems(db, rows)).map((item, at) => ({ ...item, body: maskBody(rows[at]?.body) }))
  const found = await db.select().from(paymentProblems).where(eq(paymentProblems.orderId, order.id))
  const problems = (await problemItems(db, found)).map((item) => ({ ...item, body: null }))
  return [...events, ...problems].toSorted((a, b) => a.receivedAt.localeCompare(b.receivedAt))
}

const kindNames: Record<Order['kind'], string> = { plan: 'Подписка', renewal: 'Продление', bundle: 'Пакет символов' }
const statusNames: Record<Order['status'], string> = {
  pending: 'ждёт оплаты',
  paid: 'оплачен',
  failed: 'не прошёл',
  expired: 'не оплачен вовремя',
  refunded: 'деньги возвращены',
  charged_back: 'деньги отозвал банк',
}

const columns: CsvColumns<AdminOrder> = {
  Номер: (row) => row.id,
  'Создан (UTC+3)': (row) => timeCell(row.createdAt),
  'Оплачен (UTC+3)': (row) => timeCell(row.paidAt),
  Пользователь: (row) => row.userId,
  Почта: (row) => row.email,
  Вид: (row) => kindNames[row.kind],
  'Что куплено': (row) => row.title,
  Состояние: (row) => statusNames[row.status],
  Символы: (row) => row.symbols,
  Сумма: (row) => inMajorUnits(row.amount, row.currency),
  Возвращено: (row) => inMajorUnits(row.refundedAmount, row.currency),
  Валюта: (row) => row.currency,
  'Скидка, %': (row) => row.discountPercent,
  'Номер платежа в платёжной системе': (row) => row.gatewayUid,
  'Платёжная система': (row) => gatewayTitles[row.gateway],
}

export async function ordersCsv({ db }: Ctx, filter: OrderFilter): Promise<Response> {
  const where = await ordersWhere(db, filter)
  return csvResponse<AdminOrder>(`orders-${dayOf(new Date())}`, columns, async (last) => {
    const rows = db
      .select()
      .from(orders)
      .where(and(where, last && isAfter(last)))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(CSV_PAGE)
    return toAdminOrders(db, await rows)
  })
}

function isAfter({ createdAt, id }: AdminOrder): SQL {
  return sql`(${orders.createdAt}, ${orders.id}) < (${createdAt}::timestamptz, ${id})`
}
