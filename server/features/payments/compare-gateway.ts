import { and, eq, gte, inArray, isNotNull, notInArray, or, sql } from 'drizzle-orm'
import { gatewayTitles } from '#contract/payments.ts'
import { endedStates, orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { formatSum } from '#server/email/templates/layout.ts'
import { AppError } from '#server/lib/errors.ts'
import { runForEach } from '#server/lib/run-concurrently.ts'
import type { GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { syncOrder } from './gateway-sync.ts'
import { ingest } from './ingest.ts'
import { recordMissingSubscription } from './missing-subscriptions.ts'
import { type OrderRow, orderIdIn, trackingIdOf } from './orders.ts'
import { requireBepaid } from './shops.ts'
import { isEnded } from './subscription-state.ts'
import { notRecorded } from './sync-reversals.ts'

export interface Difference {
  /** A Russian sentence for the operator. */
  text: string
  /** The difference has been fixed here. */
  attached: boolean
}

export interface CompareOptions {
  since: Date
  /** Fixes what can be fixed; otherwise nothing is written. */
  apply: boolean
}

const CONCURRENCY = 3
const MAX_PAGES = 10_000
const UNCHECKED_MS = 24 * 3_600_000

/**
 * Differences between the gateway and this database since a day, for example after a restored backup. The gateway
 * lists subscriptions, but payments only by tracking id, so a lost order is found only if it was a subscription.
 */
export async function compareWithBepaid(deps: PaymentDeps, options: CompareOptions): Promise<Difference[]> {
  const comparison = { deps, ...options, found: [] as Difference[], seen: new Set<string>() }
  const listed = await compareSubscriptions(comparison)
  const trackingIds = [...new Set([...listed, ...(await ownTrackingIds(comparison))])]
  await eachOf(trackingIds, (id) => reportingErrors(comparison, id, () => comparePayments(comparison, id)))
  const paid = await paidSince(comparison)
  await eachOf(paid, (order) => reportingErrors(comparison, order.id, () => compareOrder(comparison, order)))
  return comparison.found
}

interface Comparison extends CompareOptions {
  deps: PaymentDeps
  found: Difference[]
  /** Uids of the payments that the gateway has listed. */
  seen: Set<string>
}

/** A failed request is reported as a difference, and the comparison continues. */
async function reportingErrors({ found }: Comparison, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    found.push({
      text: `${name}: не удалось сверить. ${error instanceof AppError ? error.message : 'Внутренняя ошибка.'}`,
      attached: false,
    })
  }
}

const eachOf = <T>(things: T[], work: (thing: T) => Promise<void>) =>
  runForEach({ concurrency: CONCURRENCY, deadlineMs: UNCHECKED_MS }, things, work)

/** Returns the tracking ids of the subscriptions that may have charged since. */
async function compareSubscriptions(comparison: Comparison): Promise<string[]> {
  const { deps, since } = comparison
  const trackingIds: string[] = []
  const listed = new Set<string>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await requireBepaid(deps).gateway.subscriptionsPage(page)
    if (found.length === 0) break
    for (const subscription of found) {
      listed.add(subscription.id)
      if (!mayHaveCharged(subscription, since)) continue
      if (subscription.tracking_id) trackingIds.push(subscription.tracking_id)
      await reportingErrors(comparison, subscription.id, () => compareSubscription(comparison, subscription))
    }
  }
  const { activeTo, gatewayId, state } = subscriptions
  const ofBepaid = eq(subscriptions.gateway, 'bepaid')
  const running = and(
    ofBepaid,
    isNotNull(activeTo),
    notInArray(state, [...endedStates]),
    notInArray(gatewayId, [...listed]),
  )
  const unlisted = await deps.db.select().from(subscriptions).where(running)
  await eachOf(unlisted, (row) =>
    reportingErrors(comparison, row.gatewayId, async () => {
      if (await requireBepaid(deps).gateway.subscription(row.gatewayId)) return
      comparison.found.push({ text: `Подписка ${row.gatewayId}: здесь она идёт, у bePaid её нет.`, attached: false })
      if (comparison.apply) await recordMissingSubscription(deps, row.id, new Date())
    }),
  )
  return trackingIds
}

/** The gateway also lists subscriptions whose pay page was opened but never paid. */
function mayHaveCharged({ active_to, last_transaction, state }: GatewaySubscription, since: Date): boolean {
  if (!active_to) return false
  return !isEnded(state) || active_to >= since || (last_transaction?.created_at ?? active_to) >= since
}

async function compareSubscription({ deps, apply, found }: Comparison, reported: GatewaySubscription): Promise<void> {
  const difference = await describeDifference(deps, reported)
  if (!difference) return
  if (apply && (await isOurs(deps, reported))) await ingest(deps, reported, { source: 'request', gateway: 'bepaid' })
  const attached = apply && (await describeDifference(deps, reported)) === null
  found.push({ text: `Подписка ${reported.id} (${reported.tracking_id ?? 'без метки'}): ${difference}`, attached })
}

/** Of a lost subscription only the payment is ingested, which an administrator can count for another order. */
async function isOurs({ db }: PaymentDeps, { id, tracking_id }: GatewaySubscription): Promise<boolean> {
  if ((await db.$count(subscriptions, eq(subscriptions.gatewayId, id))) > 0) return true
  return (await db.$count(orders, eq(orders.id, orderIdIn(tracking_id) ?? ''))) > 0
}

async function describeDifference({ db }: PaymentDeps, reported: GatewaySubscription): Promise<string | null> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.gatewayId, reported.id))
  if (!row) return 'у bePaid она оплачена, здесь её нет.'
  if (isEnded(reported.state) !== isEnded(row.state)) return `у bePaid она «${reported.state}», здесь «${row.state}».`
  const isLater = reported.active_to && (!row.activeTo || reported.active_to > row.activeTo)
  return isLater ? `у bePaid она оплачена до ${reported.active_to?.toISOString()}, здесь нет.` : null
}

/** Orders since, and the first orders of subscriptions renewed since: renewals have their tracking id. */
async function ownTrackingIds({ deps, since }: Comparison): Promise<string[]> {
  const { id, kind, subscriptionId, createdAt, paidAt } = orders
  const isRecent = and(eq(orders.gateway, 'bepaid'), or(gte(createdAt, since), gte(paidAt, since)))
  const renewed = deps.db
    .select({ subscriptionId: sql<string>`${subscriptionId}` })
    .from(orders)
    .where(and(eq(kind, 'renewal'), isRecent))
  const rows = await deps.db
    .select({ id, kind })
    .from(orders)
    .where(
      or(and(inArray(kind, ['plan', 'bundle']), isRecent), and(eq(kind, 'plan'), inArray(subscriptionId, renewed))),
    )
  return rows.map(trackingIdOf)
}

async function comparePayments({ deps, since, apply, found, seen }: Comparison, trackingId: string): Promise<void> {
  const transactions = await requireBepaid(deps).gateway.transactionsOf({ trackingId, token: null, createdAt: since })
  for (const { uid } of transactions) seen.add(uid)
  const missing = await notRecorded(
    deps.db,
    transactions.filter((transaction) => timeOf(transaction) >= since.getTime()),
  )
  for (const transaction of missing) {
    if (await isResolved(deps, transaction)) continue
    if (apply) await recordMissing(deps, transaction, trackingId)
    const attached = apply && (await notRecorded(deps.db, [transaction])).length === 0
    const { uid, type, amount, currency } = transaction
    found.push({
      text: `${trackingId}: ${type} ${uid} на ${formatSum(amount, currency)} здесь не учтён.`,
      attached,
    })
  }
}

const timeOf = ({ paid_at, created_at }: GatewayTransaction) => Number(paid_at ?? created_at ?? Date.now())

/** What is rejected is stored for the administrator and stays a difference. */
async function recordMissing(deps: PaymentDeps, transaction: GatewayTransaction, trackingId: string): Promise<void> {
  await ignoringRejection(() => ingest(deps, { transaction }, { source: 'request', gateway: 'bepaid' }))
  const [order] = await deps.db
    .select()
    .from(orders)
    .where(eq(orders.id, orderIdIn(trackingId) ?? ''))
  if (!order || (await notRecorded(deps.db, [transaction])).length === 0) return
  await ignoringRejection(() => syncOrder(deps, order))
}

export async function ignoringRejection(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
  }
}

/** Whether an administrator has closed its event by hand. */
export async function isResolved({ db }: PaymentDeps, { uid }: GatewayTransaction): Promise<boolean> {
  const { refs, resolvedAt } = paymentEvents
  return (await db.$count(paymentEvents, and(sql`${uid} = any(${refs})`, isNotNull(resolvedAt)))) > 0
}

async function paidSince({ deps, since, seen }: Comparison): Promise<OrderRow[]> {
  const rows = await deps.db
    .select()
    .from(orders)
    .where(and(eq(orders.gateway, 'bepaid'), gte(orders.paidAt, since)))
  return rows.filter(({ gatewayUid }) => gatewayUid && !seen.has(gatewayUid))
}

/** A search by tracking id returns only the last ten payments; the others are asked for by uid. */
async function compareOrder({ deps, found }: Comparison, order: OrderRow): Promise<void> {
  const text = paymentDifference(order, await requireBepaid(deps).gateway.transaction(order.gatewayUid ?? ''))
  if (text) found.push({ text, attached: false })
}

/** A payment that is counted here, compared with what its gateway says of it; null when they agree. */
export function paymentDifference(order: OrderRow, theirs: GatewayTransaction | null): string | null {
  const { gateway, gatewayUid, amount, currency, title } = order
  if (theirs?.status === 'successful' && theirs.amount === amount && theirs.currency === currency) return null
  const says = theirs ? `он «${theirs.status}» на ${formatSum(theirs.amount, theirs.currency)}` : 'его нет'
  const ours = `здесь он учтён на ${formatSum(amount, currency)}`
  return `Платёж ${gatewayUid} («${title}»): ${ours}, у ${gatewayTitles[gateway]} ${says}.`
}
