import { createHmac } from 'node:crypto'
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { maskBody } from './mask-body.ts'
import { type Finding, readFacts, type StoredWebhook } from './notice-facts.ts'
import { orderIdIn } from './orders.ts'

interface Keeping {
  db: Db
  personKey: Buffer
}

/** Keeps what was refused although nobody sent it: learnt by asking, it must be seen by an administrator all the same. */
export async function keepRefused(keeping: Keeping, body: object, problem: string): Promise<void> {
  const kept = readFacts(JSON.parse(JSON.stringify(body)))
  await keeping.db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey: kept.key, refs: kept.refs, ...(await storedOf(keeping, kept, body)), problem })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: { problem },
      setWhere: isNull(paymentEvents.processedAt),
    })
}

/** Shows an administrator what we found out ourselves, once. */
export async function keepFinding(db: Db, body: Finding, problem: string): Promise<void> {
  const { key: dedupeKey, refs } = readFacts(body)
  await db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, body, masked: true, problem, processedAt: new Date() })
    .onConflictDoNothing()
}

/** What was found has passed by itself. */
export async function endFinding(db: Db, key: string): Promise<void> {
  await db.update(paymentEvents).set({ problem: null }).where(eq(paymentEvents.dedupeKey, key))
}

interface Payer {
  customer?: { email?: unknown } | null
  transaction?: Payer | null
}

/** The payer's address, or what is left of it. */
export function payerIn(body: unknown): string | null {
  const { transaction, customer } = (body ?? {}) as Payer
  const email = (transaction?.customer ?? customer)?.email
  return typeof email === 'string' ? email : null
}

/** By it an administrator who knows an address finds its payments; nobody reads the address back out of it. */
export function payerHashOf(personKey: Buffer, email: string): string {
  return createHmac('sha256', personKey).update(`payer:${email.trim().toLowerCase()}`).digest('base64url')
}

/**
 * What is kept of a notice: all that is needed to apply it again, and of the payer no more than a hint and a hash. Of
 * somebody whose account is deleted not even that.
 */
export async function storedOf(
  { db, personKey }: Keeping,
  { refs, facts, about }: Pick<StoredWebhook, 'refs' | 'facts' | 'about'>,
  content: unknown,
) {
  // As the database would keep it: what was learnt by asking holds dates.
  const masked = maskBody(JSON.parse(JSON.stringify(content)))
  // The page that closed is known by its token, which opens nothing any more.
  const body = about && 'closedPage' in about ? { ...(masked as object), token: about.closedPage.token } : masked
  const email = payerIn(content)
  if (!email) return { body, masked: true, payerHash: null }
  if (await isOwnerless(db, refs, facts.trackingId))
    return { body: withoutPayer(body as object), masked: true, payerHash: null }
  return { body, masked: true, payerHash: payerHashOf(personKey, email) }
}

function withoutPayer(body: object): object {
  const { customer: _, ...rest } = body as Payer
  return rest.transaction ? { ...rest, transaction: withoutPayer(rest.transaction) } : rest
}

/** It speaks of what somebody bought whose account is deleted. */
async function isOwnerless(db: Db, refs: string[], trackingId: string | null): Promise<boolean> {
  const named = or(inArray(orders.gatewayUid, refs), eq(orders.id, orderIdIn(trackingId) ?? ''))
  if ((await db.$count(orders, and(isNull(orders.userId), named))) > 0) return true
  const known = and(isNull(subscriptions.userId), inArray(subscriptions.gatewayId, refs))
  return (await db.$count(subscriptions, known)) > 0
}

const BATCH = 100

/** Masks what earlier releases kept as it came, row by row: nobody waits for a lock. Says how many rows that were. */
export async function maskOldEvents(keeping: Keeping): Promise<number> {
  for (let masked = 0; ; ) {
    const rows = await keeping.db
      .select({ id: paymentEvents.id, body: paymentEvents.body })
      .from(paymentEvents)
      .where(eq(paymentEvents.masked, false))
      .orderBy(asc(paymentEvents.id))
      .limit(BATCH)
    for (const { id, body } of rows) {
      await keeping.db
        .update(paymentEvents)
        .set(await storedOf(keeping, readFacts(body), body))
        .where(eq(paymentEvents.id, id))
    }
    masked += rows.length
    if (rows.length < BATCH) return masked
  }
}

/** The account goes: by its address no payment is found any more. */
export async function forgetPayer({ db, personKey }: Keeping, email: string): Promise<void> {
  await db
    .update(paymentEvents)
    .set({ payerHash: null })
    .where(eq(paymentEvents.payerHash, payerHashOf(personKey, email)))
}
