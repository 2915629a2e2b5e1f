import { createHmac } from 'node:crypto'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { GatewayName } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { maskBody } from './mask-body.ts'
import { orderIdIn } from './orders.ts'
import type { Report } from './reports.ts'

export type EventRow = typeof paymentEvents.$inferSelect

/** The same condition as `isProblemEvent` in SQL. */
export const hasProblem = ({ orphan, problem, processedAt }: EventRow) =>
  orphan || problem !== null || processedAt === null

interface StoreDeps {
  db: Db
  identityKey: Buffer
}

/** Stores a report under its key, once. `deliveries` counts the webhooks that brought it. */
export async function storeEvent(
  deps: StoreDeps,
  report: Report,
  { body, gateway, isDelivery }: { body: unknown; gateway: GatewayName; isDelivery: boolean },
): Promise<EventRow> {
  const { key: dedupeKey, refs } = report
  const columns = { deliveries: isDelivery ? 1 : 0, ...(await storedColumns(deps, report, body)) }
  const { deliveries, body: storedBody, payerHash } = paymentEvents
  const isFirst = sql`${deliveries} = 0`
  const [event] = await deps.db
    .insert(paymentEvents)
    .values({ id: newId(), gateway, dedupeKey, refs, ...columns })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: {
        deliveries: sql`${deliveries} + ${columns.deliveries}`,
        // The first webhook names the payer, an answer to our own request does not.
        ...(isDelivery && {
          body: sql`case when ${isFirst} then excluded.body else ${storedBody} end`,
          payerHash: sql`case when ${isFirst} then excluded.payer_hash else ${payerHash} end`,
        }),
      },
    })
    .returning()
  if (!event) throw new Error(`payments: ${dedupeKey} was not stored`)
  return event
}

export async function findEvent(db: Db, id: string): Promise<EventRow> {
  const [event] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id))
  if (!event) throw noEvent()
  return event
}

export async function lockEvent(tx: Db, id: string): Promise<EventRow> {
  const [event] = await tx.select().from(paymentEvents).where(eq(paymentEvents.id, id)).for('update')
  if (!event) throw noEvent()
  return event
}

export const noEvent = () => notFound('Такого события нет')

/** The report was applied, or it concerns nothing in this database. */
export async function storeOutcome(tx: Db, { id }: EventRow, { orphan }: { orphan: boolean }): Promise<EventRow> {
  const outcome = { processedAt: new Date(), orphan, problem: null }
  const [event] = await tx.update(paymentEvents).set(outcome).where(eq(paymentEvents.id, id)).returning()
  if (!event) throw noEvent()
  return event
}

interface Payer {
  customer?: { email?: unknown } | null
  transaction?: Payer | null
}

/** Masked when the body comes from the database. */
export function payerIn(body: unknown): string | null {
  const { transaction, customer } = (body ?? {}) as Payer
  const email = (transaction?.customer ?? customer)?.email
  return typeof email === 'string' ? email : null
}

/** Keyed hash: an administrator who knows an address finds its payments, but the address cannot be read back. */
export function payerHashOf(identityKey: Buffer, email: string): string {
  return createHmac('sha256', identityKey).update(`payer:${email.trim().toLowerCase()}`).digest('base64url')
}

/**
 * The body with everything needed to apply it again. Of the payer only a masked address and a hash are stored, and
 * nothing at all when the account is deleted.
 */
async function storedColumns({ db, identityKey }: StoreDeps, { refs, summary, content }: Report, original: unknown) {
  // The round trip through JSON turns dates of parsed gateway responses into strings.
  const masked = maskBody(JSON.parse(JSON.stringify(original)))
  // Masking removes tokens, but a closed page is matched by its token, which is no longer valid.
  const body = content.kind === 'closed_page' ? { ...(masked as object), token: content.page.token } : masked
  if (await isOfDeletedAccount(db, refs, summary.trackingId)) return { body: withoutPayer(body), payerHash: null }
  const email = payerIn(original)
  return { body, payerHash: email && payerHashOf(identityKey, email) }
}

/** Removes what `forget_deleted_user` removes from the events stored before. */
function withoutPayer(body: unknown): unknown {
  if (!isObject(body)) return body
  const { customer: _customer, card: _card, credit_card: _credit, billing_address: _address, ...rest } = body
  return isObject(rest.transaction) ? { ...rest, transaction: withoutPayer(rest.transaction) } : rest
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function isOfDeletedAccount(db: Db, refs: string[], trackingId: string | null): Promise<boolean> {
  const isNamed = or(inArray(orders.gatewayUid, refs), eq(orders.id, orderIdIn(trackingId) ?? ''))
  if ((await db.$count(orders, and(isNull(orders.userId), isNamed))) > 0) return true
  const known = and(isNull(subscriptions.userId), inArray(subscriptions.gatewayId, refs))
  return (await db.$count(subscriptions, known)) > 0
}

/** Called when an account is deleted: its payments can no longer be found by its address. */
export async function forgetPayer({ db, identityKey }: StoreDeps, email: string): Promise<void> {
  await db
    .update(paymentEvents)
    .set({ payerHash: null })
    .where(eq(paymentEvents.payerHash, payerHashOf(identityKey, email)))
}
