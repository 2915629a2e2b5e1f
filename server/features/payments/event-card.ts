import { and, eq, gte, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { PaymentEventCard } from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, paymentProblems, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type EventRow, hasProblem, noEvent } from './event-store.ts'
import { eventItems, problemItems } from './events-admin.ts'
import { maskBody } from './mask-body.ts'
import { type OrderRow, orderIdIn } from './orders.ts'
import { type Report, readReport, transactionIn } from './reports.ts'
import { confirmedPayment } from './transactions.ts'

/** An event, or a problem that this server found by itself: the list shows both. */
export async function readEvent({ db }: Pick<Ctx, 'db'>, id: string): Promise<PaymentEventCard> {
  const [event] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id))
  return event ? eventCard(db, event) : problemCard(db, id)
}

async function eventCard(db: Db, event: EventRow): Promise<PaymentEventCard> {
  const [item] = await eventItems(db, [event])
  if (!item) throw noEvent()
  const report = readReport(event.body)
  const mentioned = await ordersOf(db, report)
  const isCounted = mentioned.some(({ gatewayUid }) => gatewayUid === item.uid)
  return {
    ...item,
    body: maskBody(event.body),
    orders: mentioned.map(toMention),
    canRetry: hasProblem(event) && report.content.kind !== 'none',
    fitting: hasProblem(event) && !isCounted ? await fittingOrders(db, event, report) : [],
  }
}

async function problemCard(db: Db, id: string): Promise<PaymentEventCard> {
  const [problem] = await db.select().from(paymentProblems).where(eq(paymentProblems.id, id))
  const [item] = problem ? await problemItems(db, [problem]) : []
  if (!problem || !item) throw noEvent()
  const concerned = await db
    .select()
    .from(orders)
    .where(eq(orders.id, problem.orderId ?? ''))
  return { ...item, body: null, orders: concerned.map(toMention), canRetry: false, fitting: [] }
}

const toMention = ({ id, title, status }: OrderRow) => ({ id, title, status })

async function ordersOf(db: Db, { refs, summary }: Report): Promise<OrderRow[]> {
  if (refs.length === 0) return []
  return db
    .select()
    .from(orders)
    .where(
      or(
        inArray(orders.gatewayUid, refs),
        inArray(orders.gatewayToken, refs),
        eq(orders.id, orderIdIn(summary.trackingId) ?? ''),
      ),
    )
    .orderBy(orders.createdAt)
    .limit(10)
}

const MAX_FITTING_ORDERS = 8
const LOOKBACK_MS = 60 * 86_400_000

/** Orders that a payment without an order may be for: unpaid, of the same amount, created before it. */
async function fittingOrders(db: Db, { receivedAt }: EventRow, report: Report): Promise<PaymentEventCard['fitting']> {
  const transaction = transactionIn(report)
  const payment = transaction && confirmedPayment(transaction)
  if (!payment?.successful) return []
  const { id, title, amount, currency, createdAt } = orders
  const rows = await db
    .select({ id, title, amount, currency, createdAt, email: users.email })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(
      and(
        isNull(orders.paidAt),
        inArray(orders.kind, ['plan', 'bundle']),
        eq(amount, payment.amount),
        eq(currency, payment.currency),
        lte(createdAt, receivedAt),
        gte(createdAt, new Date(receivedAt.getTime() - LOOKBACK_MS)),
      ),
    )
    .orderBy(sql`${createdAt} desc`)
    .limit(MAX_FITTING_ORDERS)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
