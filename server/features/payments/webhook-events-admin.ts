import { and, arrayOverlaps, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type {
  PaymentEvent,
  PaymentEventCard,
  PaymentEventKind,
  PaymentEventQuery,
  PaymentEventState,
  paymentEventSorts,
} from '#contract/payment-events.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { isProblemEvent, orders, paymentEvents, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { notFound } from '#server/lib/errors.ts'
import { dayOf, localTime } from '../billing/days.ts'
import { orderIdIn } from './orders.ts'
import { confirmedPayment } from './take-payment.ts'
import { maskBody, payerHashOf, payerIn, readWebhookEvent, transactionIn, type WebhookEvent } from './webhook-events.ts'

/** `identityKey` hashes a payer's email address for the search. */
export type EventCtx = Ctx & { identityKey: Buffer }
export type EventRow = typeof paymentEvents.$inferSelect

const sortable = {
  receivedAt: paymentEvents.receivedAt,
  deliveries: paymentEvents.deliveries,
} satisfies Record<(typeof paymentEventSorts)[number], unknown>

export async function listEvents(
  { db, identityKey }: EventCtx,
  { page, size, sort = '-receivedAt', ...filter }: PaymentEventQuery,
): Promise<{ items: PaymentEvent[]; total: number }> {
  const where = and(states[filter.state](), matchesQuery(identityKey, filter.query))
  const rows = await db
    .select()
    .from(paymentEvents)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, paymentEvents.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await toPaymentEvents(db, rows), total: await db.$count(paymentEvents, where) }
}

const states: Record<PaymentEventQuery['state'], () => SQL | undefined> = {
  open: () => and(isProblemEvent(), isNull(paymentEvents.resolvedAt)),
  resolved: () => isNotNull(paymentEvents.resolvedAt),
  all: () => undefined,
}

/** By the event's id, any id in its body, an order's id or the payer's email address. */
function matchesQuery(identityKey: Buffer, query: string | undefined): SQL | undefined {
  const text = query?.trim()
  if (!text) return undefined
  return or(
    eq(paymentEvents.id, text),
    arrayOverlaps(paymentEvents.refs, [text, `plan:${text}`, `bundle:${text}`]),
    eq(paymentEvents.payerHash, payerHashOf(identityKey, text)),
  )
}

export async function toPaymentEvents(db: Db, rows: EventRow[]): Promise<PaymentEvent[]> {
  const ids = rows.flatMap(({ resolvedBy }) => resolvedBy ?? [])
  const people =
    ids.length > 0
      ? await db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids))
      : []
  const emails = new Map(people.map(({ id, email }) => [id, email]))
  return rows.map((row) => toPaymentEvent(row, readWebhookEvent(row.body), emails.get(row.resolvedBy ?? '') ?? null))
}

function toPaymentEvent(row: EventRow, { summary }: WebhookEvent, resolvedBy: string | null): PaymentEvent {
  const { id, deliveries, receivedAt, processedAt, problem, resolvedAt, resolution } = row
  return {
    id,
    ...summary,
    state: stateOf(row),
    payer: payerIn(row.body),
    deliveries,
    receivedAt: receivedAt.toISOString(),
    processedAt: processedAt?.toISOString() ?? null,
    problem,
    resolution: resolvedAt ? { note: resolution ?? '', at: resolvedAt.toISOString(), by: resolvedBy } : null,
  }
}

/** The same condition as `isProblemEvent` in SQL. */
export const hasProblem = ({ orphan, problem, processedAt }: EventRow) =>
  orphan || problem !== null || processedAt === null

export function stateOf(row: EventRow): PaymentEventState {
  if (!hasProblem(row)) return 'taken'
  if (row.resolvedAt) return 'resolved'
  if (row.problem !== null) return 'refused'
  return row.processedAt ? 'orphan' : 'waiting'
}

export async function findEvent(db: Db, id: string): Promise<EventRow> {
  const [event] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id))
  if (!event) throw notFound('Такого события нет')
  return event
}

export async function readEvent({ db }: Pick<Ctx, 'db'>, id: string): Promise<PaymentEventCard> {
  const row = await findEvent(db, id)
  const webhookEvent = readWebhookEvent(row.body)
  const mentioned = await ordersOf(db, webhookEvent)
  const [event] = await toPaymentEvents(db, [row])
  if (!event) throw notFound('Такого события нет')
  return {
    ...event,
    body: maskBody(row.body),
    orders: mentioned.map(({ id: orderId, title, status }) => ({ id: orderId, title, status })),
    canRetry: hasProblem(row) && webhookEvent.content.kind !== 'none',
    fitting:
      hasProblem(row) && !mentioned.some(({ gatewayUid }) => gatewayUid === event.uid)
        ? await fittingOrders(db, row, webhookEvent)
        : [],
  }
}

async function ordersOf(db: Db, { refs, summary }: WebhookEvent) {
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
async function fittingOrders(
  db: Db,
  { receivedAt }: EventRow,
  webhookEvent: WebhookEvent,
): Promise<PaymentEventCard['fitting']> {
  const transaction = transactionIn(webhookEvent)
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

const kindNames: Record<PaymentEventKind, string> = {
  payment: 'Платёж',
  refund: 'Возврат',
  chargeback: 'Отзыв денег банком',
  subscription: 'Подписка',
  page: 'Страница оплаты закрылась',
  unknown: 'Непонятное сообщение',
}
const stateNames: Record<PaymentEventState, string> = {
  taken: 'учтено',
  waiting: 'не обработано',
  orphan: 'ни к чему не относится',
  refused: 'не принято',
  resolved: 'разобрано',
}

const columns: CsvColumns<PaymentEvent> = {
  'Пришло (UTC+3)': ({ receivedAt }) => localTime(new Date(receivedAt)).replace('T', ' '),
  Событие: ({ kind }) => kindNames[kind],
  'В словах bePaid': ({ status }) => status,
  Состояние: ({ state }) => stateNames[state],
  'Почему не принято': ({ problem }) => problem,
  'Сколько раз пришло': ({ deliveries }) => deliveries,
  Сумма: ({ amount, currency }) => (amount === null || currency === null ? null : inMajorUnits(amount, currency)),
  Валюта: ({ currency }) => currency,
  Плательщик: ({ payer }) => payer,
  'Номер в bePaid': ({ uid }) => uid,
  'Метка заказа': ({ trackingId }) => trackingId,
  'Чем закончилось': ({ resolution }) => resolution?.note ?? null,
}

const CSV_PAGE = 200

export function eventsCsv(ctx: EventCtx, query: PaymentEventQuery): Promise<Response> {
  return csvResponse(`payment-events-${dayOf(new Date())}`, columns, readPages(ctx, query))
}

async function* readPages(ctx: EventCtx, query: PaymentEventQuery): AsyncGenerator<PaymentEvent[], void> {
  for (let page = 1; ; page++) {
    const { items, total } = await listEvents(ctx, { ...query, page, size: CSV_PAGE })
    yield items
    if (items.length < CSV_PAGE || page * CSV_PAGE >= total) return
  }
}
