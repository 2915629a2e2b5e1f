import { and, arrayOverlaps, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type {
  PaymentEvent,
  PaymentEventCard,
  PaymentEventQuery,
  PaymentEventState,
  paymentEventSorts,
} from '#contract/payment-events.ts'
import type { Db } from '#server/db/client.ts'
import { oddEvent, orders, paymentEvents, users } from '#server/db/schema.ts'
import { orderByClause } from '#server/db/table-page.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { maskBody } from './mask-body.ts'
import { type Notice, readNotice } from './notices.ts'
import { orderIdIn } from './orders.ts'
import { payerHashOf, payerIn } from './store-event.ts'
import { judgedPayment } from './take-payment.ts'

/** What the gateway told us, as an administrator reads it. */

/** `personKey` turns a payer's address into what is kept of it. */
export type EventCtx = Ctx & { personKey: Buffer }
export type EventRow = typeof paymentEvents.$inferSelect

const sortable = {
  receivedAt: paymentEvents.receivedAt,
  deliveries: paymentEvents.deliveries,
} satisfies Record<(typeof paymentEventSorts)[number], unknown>

export async function listEvents(
  { db, personKey }: EventCtx,
  { page, size, sort = '-receivedAt', ...filter }: PaymentEventQuery,
): Promise<{ items: PaymentEvent[]; total: number }> {
  const where = and(states[filter.state](), meant(personKey, filter.query))
  const rows = await db
    .select()
    .from(paymentEvents)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, paymentEvents.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await shownEvents(db, rows), total: await db.$count(paymentEvents, where) }
}

const states: Record<PaymentEventQuery['state'], () => SQL | undefined> = {
  open: () => and(oddEvent(), isNull(paymentEvents.resolvedAt)),
  resolved: () => isNotNull(paymentEvents.resolvedAt),
  all: () => undefined,
}

/** By its own number, by any name in it, by an order's number, by the payer's address. */
function meant(personKey: Buffer, query: string | undefined): SQL | undefined {
  const text = query?.trim()
  if (!text) return undefined
  return or(
    eq(paymentEvents.id, text),
    arrayOverlaps(paymentEvents.refs, [text, `plan:${text}`, `bundle:${text}`]),
    eq(paymentEvents.payerHash, payerHashOf(personKey, text)),
  )
}

export async function shownEvents(db: Db, rows: EventRow[]): Promise<PaymentEvent[]> {
  const ids = rows.flatMap(({ resolvedBy }) => resolvedBy ?? [])
  const people =
    ids.length > 0
      ? await db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids))
      : []
  const emails = new Map(people.map(({ id, email }) => [id, email]))
  return rows.map((row) => shownEvent(row, readNotice(row.body), emails.get(row.resolvedBy ?? '') ?? null))
}

function shownEvent(row: EventRow, { facts }: Notice, resolvedBy: string | null): PaymentEvent {
  const { id, deliveries, receivedAt, processedAt, problem, resolvedAt, resolution } = row
  return {
    id,
    ...facts,
    state: stateOf(row),
    payer: payerIn(row.body),
    deliveries,
    receivedAt: receivedAt.toISOString(),
    processedAt: processedAt?.toISOString() ?? null,
    problem,
    resolution: resolvedAt ? { note: resolution ?? '', at: resolvedAt.toISOString(), by: resolvedBy } : null,
  }
}

/** This side of `oddEvent`. */
export const isOdd = ({ orphan, problem, processedAt }: EventRow) => orphan || problem !== null || processedAt === null

export function stateOf(row: EventRow): PaymentEventState {
  if (!isOdd(row)) return 'taken'
  if (row.resolvedAt) return 'resolved'
  if (row.problem !== null) return 'refused'
  return row.processedAt ? 'orphan' : 'waiting'
}

export async function anyEvent(db: Db, id: string): Promise<EventRow> {
  const [event] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id))
  if (!event) throw notFound('Такого события нет')
  return event
}

export async function readEvent({ db }: Pick<Ctx, 'db'>, id: string): Promise<PaymentEventCard> {
  const row = await anyEvent(db, id)
  const notice = readNotice(row.body)
  const spoken = await ordersOf(db, notice)
  const [event] = await shownEvents(db, [row])
  if (!event) throw notFound('Такого события нет')
  return {
    ...event,
    body: maskBody(row.body),
    orders: spoken.map(({ id: orderId, title, status }) => ({ id: orderId, title, status })),
    canRetry: isOdd(row) && notice.about !== null,
    fitting:
      isOdd(row) && !spoken.some(({ gatewayUid }) => gatewayUid === event.uid) ? await fitting(db, row, notice) : [],
  }
}

async function ordersOf(db: Db, { refs, facts }: Notice) {
  if (refs.length === 0) return []
  return db
    .select()
    .from(orders)
    .where(
      or(
        inArray(orders.gatewayUid, refs),
        inArray(orders.gatewayToken, refs),
        eq(orders.id, orderIdIn(facts.trackingId) ?? ''),
      ),
    )
    .orderBy(orders.createdAt)
    .limit(10)
}

const FITTING = 8
const LOOKBACK_MS = 60 * 86_400_000

/** Orders that a payment of nobody's may be for: unpaid, of the same sum, made before it came. */
async function fitting(
  db: Db,
  { receivedAt }: EventRow,
  { transaction }: Notice,
): Promise<PaymentEventCard['fitting']> {
  const payment = transaction && judgedPayment(transaction)
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
    .limit(FITTING)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
