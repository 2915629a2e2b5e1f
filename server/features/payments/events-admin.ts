import { and, arrayOverlaps, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type {
  PaymentEvent,
  PaymentEventKind,
  PaymentEventQuery,
  PaymentEventState,
  paymentEventSorts,
} from '#contract/payment-events.ts'
import { gatewayTitles } from '#contract/payments.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { isProblemEvent, paymentEvents, paymentProblems } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { dayOf, timeCell } from '../billing/days.ts'
import { emailsOf } from '../users/find-users.ts'
import { type EventRow, hasProblem, payerHashOf, payerIn } from './event-store.ts'
import type { ProblemRow } from './problems.ts'
import { readReport } from './reports.ts'

/** `identityKey` hashes a payer's email address for the search. */
type EventCtx = Ctx & { identityKey: Buffer }

/** The events of the gateway and the problems that this server found by itself, as one list. */
export async function listEvents(
  { db, identityKey }: EventCtx,
  { page, size, sort = '-receivedAt', state, query = '' }: PaymentEventQuery,
): Promise<{ items: PaymentEvent[]; total: number }> {
  const text = query.trim()
  const ofEvents = and(eventStates[state](), text ? eventMatches(identityKey, text) : undefined)
  const ofProblems = and(problemStates[state](), text ? problemMatches(text) : undefined)
  const { id, receivedAt, deliveries } = paymentEvents
  const events = db.select({ id, receivedAt, deliveries }).from(paymentEvents).where(ofEvents)
  const problems = db
    .select({ id: paymentProblems.id, receivedAt: paymentProblems.createdAt, deliveries: sql<number>`1` })
    .from(paymentProblems)
    .where(ofProblems)
  const listed = unionAll(events, problems).as('listed')
  const sortable = {
    receivedAt: listed.receivedAt,
    deliveries: listed.deliveries,
  } satisfies Record<(typeof paymentEventSorts)[number], unknown>
  const rows = await db
    .select({ id: listed.id })
    .from(listed)
    .orderBy(...orderByClause(sort, sortable, listed.id))
    .limit(size)
    .offset((page - 1) * size)
  const total = (await db.$count(paymentEvents, ofEvents)) + (await db.$count(paymentProblems, ofProblems))
  return {
    items: await readItems(
      db,
      rows.map((row) => row.id),
    ),
    total,
  }
}

const eventStates: Record<PaymentEventQuery['state'], () => SQL | undefined> = {
  open: () => and(isProblemEvent(), isNull(paymentEvents.resolvedAt)),
  resolved: () => isNotNull(paymentEvents.resolvedAt),
  all: () => undefined,
}
const problemStates: Record<PaymentEventQuery['state'], () => SQL | undefined> = {
  open: () => and(isNull(paymentProblems.endedAt), isNull(paymentProblems.resolvedAt)),
  resolved: () => isNotNull(paymentProblems.resolvedAt),
  all: () => undefined,
}

/** By the event's id, any id in its body, an order's id or the payer's email address. */
function eventMatches(identityKey: Buffer, text: string): SQL | undefined {
  return or(
    eq(paymentEvents.id, text),
    arrayOverlaps(paymentEvents.refs, [text, `plan:${text}`, `bundle:${text}`]),
    eq(paymentEvents.payerHash, payerHashOf(identityKey, text)),
  )
}

function problemMatches(text: string): SQL | undefined {
  const { id, uid, orderId } = paymentProblems
  return or(eq(id, text), eq(uid, text), eq(orderId, text))
}

async function readItems(db: Db, ids: string[]): Promise<PaymentEvent[]> {
  const events = await db.select().from(paymentEvents).where(inArray(paymentEvents.id, ids))
  const problems = await db.select().from(paymentProblems).where(inArray(paymentProblems.id, ids))
  const items = [...(await eventItems(db, events)), ...(await problemItems(db, problems))]
  const byId = new Map(items.map((item) => [item.id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function eventItems(db: Db, rows: EventRow[]): Promise<PaymentEvent[]> {
  const resolutionOf = await readResolutions(db, rows)
  return rows.map((row) => ({
    id: row.id,
    gateway: row.gateway,
    ...readReport(row.body).summary,
    state: stateOf(row),
    payer: payerIn(row.body),
    deliveries: row.deliveries,
    receivedAt: row.receivedAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
    problem: row.problem,
    resolution: resolutionOf(row),
  }))
}

/** A problem is shown like an event that was not accepted. */
export async function problemItems(db: Db, rows: ProblemRow[]): Promise<PaymentEvent[]> {
  const resolutionOf = await readResolutions(db, rows)
  return rows.map((row) => ({
    id: row.id,
    gateway: row.gateway,
    kind: row.kind === 'missing_subscription' ? 'subscription' : 'payment',
    status: row.status,
    uid: row.uid,
    amount: row.amount,
    currency: row.currency,
    trackingId: null,
    state: row.endedAt ? 'taken' : row.resolvedAt ? 'resolved' : 'refused',
    payer: null,
    deliveries: 1,
    receivedAt: row.createdAt.toISOString(),
    processedAt: row.createdAt.toISOString(),
    problem: row.endedAt ? null : row.sentence,
    resolution: resolutionOf(row),
  }))
}

type Resolution = Pick<EventRow, 'resolvedAt' | 'resolvedBy' | 'resolution'>

async function readResolutions(db: Db, rows: Resolution[]) {
  const emails = await emailsOf(
    db,
    rows.flatMap(({ resolvedBy }) => resolvedBy ?? []),
  )
  return ({ resolvedAt, resolvedBy, resolution }: Resolution): PaymentEvent['resolution'] =>
    resolvedAt && { note: resolution ?? '', at: resolvedAt.toISOString(), by: emails.get(resolvedBy ?? '') ?? null }
}

export function stateOf(row: EventRow): PaymentEventState {
  if (!hasProblem(row)) return 'taken'
  if (row.resolvedAt) return 'resolved'
  if (row.problem !== null) return 'refused'
  return row.processedAt ? 'orphan' : 'waiting'
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
  'Пришло (UTC+3)': ({ receivedAt }) => timeCell(receivedAt),
  Событие: ({ kind }) => kindNames[kind],
  'Платёжная система': ({ gateway }) => gatewayTitles[gateway],
  'Её словами': ({ status }) => status,
  Состояние: ({ state }) => stateNames[state],
  'Почему не принято': ({ problem }) => problem,
  'Сколько раз пришло': ({ deliveries }) => deliveries,
  Сумма: ({ amount, currency }) => (amount === null || currency === null ? null : inMajorUnits(amount, currency)),
  Валюта: ({ currency }) => currency,
  Плательщик: ({ payer }) => payer,
  'Номер в ней': ({ uid }) => uid,
  'Метка заказа': ({ trackingId }) => trackingId,
  'Чем закончилось': ({ resolution }) => resolution?.note ?? null,
}

export function eventsCsv(ctx: EventCtx, query: PaymentEventQuery): Promise<Response> {
  let page = 0
  return csvResponse(`payment-events-${dayOf(new Date())}`, columns, async () => {
    page += 1
    return (await listEvents(ctx, { ...query, page, size: CSV_PAGE })).items
  })
}
