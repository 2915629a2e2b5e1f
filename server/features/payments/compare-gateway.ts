import { and, eq, gte, inArray, isNotNull, notInArray, or, sql } from 'drizzle-orm'
import { endedStates, orders, paymentEvents, subscriptions } from '#server/db/schema.ts'
import { formatSum } from '#server/email/templates/format.ts'
import type { GatewaySubscription, GatewayTransaction } from '#server/payments/gateway.ts'
import { askAboutOrder, learnOfSubscription } from './ask-gateway.ts'
import { notTaken } from './ask-reversals.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { noteMissing } from './missing.ts'
import { type OrderRow, orderIdIn, trackingIdOf } from './orders.ts'
import { Rejection } from './rejections.ts'
import { runConcurrently } from './run-concurrently.ts'
import { isEnded } from './subscription-state.ts'
import { applyNotice } from './webhook.ts'

export interface Difference {
  /** In words, for the one who runs the comparison. */
  text: string
  /** It has been put right: the payment is an order now, the subscription is as the gateway has it. */
  attached: boolean
}

interface Options {
  since: Date
  /** Puts right what can be; otherwise nothing is written. */
  apply: boolean
}

const CONCURRENCY = 3
const MAX_PAGES = 10_000
const NEVER_MS = 24 * 3_600_000

/**
 * What the gateway and we say of the same money since a day, and where that differs: after a restored backup, or to
 * be sure. The gateway lists subscriptions, but payments only by the name of their order, so a purchase whose order is
 * lost is found here only if it was a subscription.
 */
export async function compareWithGateway(deps: PaymentDeps, options: Options): Promise<Difference[]> {
  const comparison = { deps, ...options, found: [] as Difference[], seen: new Set<string>() }
  const listed = await compareSubscriptions(comparison)
  const names = [...new Set([...listed, ...(await ownNames(comparison))])]
  await eachOf(names, (name) => tried(comparison, name, () => comparePayments(comparison, name)))
  const paid = await paidSince(comparison)
  await eachOf(paid, (order) => tried(comparison, order.id, () => compareOrder(comparison, order)))
  return comparison.found
}

interface Comparison extends Options {
  deps: PaymentDeps
  found: Difference[]
  /** Numbers of payments that the gateway has named. */
  seen: Set<string>
}

/** One question that fails is a difference too, and the others are still asked. */
async function tried({ found }: Comparison, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    found.push({ text: `${name}: не удалось сверить. ${(error as Error).message}`, attached: false })
  }
}

async function eachOf<T>(things: T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = things.values()
  await runConcurrently({ concurrency: CONCURRENCY, deadlineMs: NEVER_MS }, async () => {
    const next = left.next()
    return next.done ? null : () => work(next.value)
  })
}

/** Says the names of the orders behind the subscriptions that may have charged since. */
async function compareSubscriptions(comparison: Comparison): Promise<string[]> {
  const { deps, since } = comparison
  const names: string[] = []
  const listed = new Set<string>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const told = await openedShop(deps).gateway.subscriptionsPage(page)
    if (told.length === 0) break
    for (const subscription of told) {
      listed.add(subscription.id)
      if (!mayHaveCharged(subscription, since)) continue
      if (subscription.tracking_id) names.push(subscription.tracking_id)
      await tried(comparison, subscription.id, () => compareSubscription(comparison, subscription))
    }
  }
  const { activeTo, gatewayId, state } = subscriptions
  const running = and(isNotNull(activeTo), notInArray(state, [...endedStates]), notInArray(gatewayId, [...listed]))
  const unlisted = await deps.db.select().from(subscriptions).where(running)
  await eachOf(unlisted, (row) =>
    tried(comparison, row.gatewayId, async () => {
      if (await openedShop(deps).gateway.subscription(row.gatewayId)) return
      comparison.found.push({ text: `Подписка ${row.gatewayId}: здесь она идёт, у bePaid её нет.`, attached: false })
      if (comparison.apply) await noteMissing(deps, row.id, new Date())
    }),
  )
  return names
}

/** A pay page that nobody paid on is a subscription too, for the gateway. */
function mayHaveCharged({ active_to, last_transaction, state }: GatewaySubscription, since: Date): boolean {
  if (!active_to) return false
  return !isEnded(state) || active_to >= since || (last_transaction?.created_at ?? active_to) >= since
}

async function compareSubscription({ deps, apply, found }: Comparison, told: GatewaySubscription): Promise<void> {
  const differs = await howDiffers(deps, told)
  if (!differs) return
  if (apply) await learnOfSubscription(deps, told)
  const attached = apply && (await howDiffers(deps, told)) === null
  found.push({ text: `Подписка ${told.id} (${told.tracking_id ?? 'без метки'}): ${differs}`, attached })
}

async function howDiffers({ db }: PaymentDeps, told: GatewaySubscription): Promise<string | null> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.gatewayId, told.id))
  if (!row) return 'у bePaid она оплачена, здесь её нет.'
  if (isEnded(told.state) !== isEnded(row.state)) return `у bePaid она «${told.state}», здесь «${row.state}».`
  const isLater = told.active_to && (!row.activeTo || told.active_to > row.activeTo)
  return isLater ? `у bePaid она оплачена до ${told.active_to?.toISOString()}, здесь нет.` : null
}

/** Orders since, and those by whose name renewals since were charged. */
async function ownNames({ deps, since }: Comparison): Promise<string[]> {
  const { id, kind, subscriptionId, createdAt, paidAt } = orders
  const isRecent = or(gte(createdAt, since), gte(paidAt, since))
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

async function comparePayments({ deps, since, apply, found, seen }: Comparison, name: string): Promise<void> {
  const told = await openedShop(deps).gateway.transactionsByTracking(name)
  for (const { uid } of told) seen.add(uid)
  const missing = await notTaken(
    deps.db,
    told.filter((transaction) => momentOf(transaction) >= since.getTime()),
  )
  for (const transaction of missing) {
    if (await isResolved(deps, transaction)) continue
    if (apply) await attach(deps, transaction, name)
    const attached = apply && (await notTaken(deps.db, [transaction])).length === 0
    const { uid, type, amount, currency } = transaction
    found.push({
      text: `${name}: ${type} ${uid} на ${formatSum(amount, currency)} здесь не учтён.`,
      attached,
    })
  }
}

const momentOf = ({ paid_at, created_at }: GatewayTransaction) => Number(paid_at ?? created_at ?? Date.now())

/** By the way of all news; what cannot be applied is kept for the administrator, and stays a difference. */
async function attach(deps: PaymentDeps, transaction: GatewayTransaction, name: string): Promise<void> {
  await unlessRefused(() => applyNotice(deps, { transaction }))
  const [order] = await deps.db
    .select()
    .from(orders)
    .where(eq(orders.id, orderIdIn(name) ?? ''))
  if (!order || (await notTaken(deps.db, [transaction])).length === 0) return
  await unlessRefused(() => askAboutOrder(deps, order))
}

async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
  }
}

/** An administrator has dealt with it by hand. */
async function isResolved({ db }: PaymentDeps, { uid }: GatewayTransaction): Promise<boolean> {
  const { refs, resolvedAt } = paymentEvents
  return (await db.$count(paymentEvents, and(sql`${uid} = any(${refs})`, isNotNull(resolvedAt)))) > 0
}

async function paidSince({ deps, since, seen }: Comparison): Promise<OrderRow[]> {
  const rows = await deps.db.select().from(orders).where(gte(orders.paidAt, since))
  return rows.filter(({ gatewayUid }) => gatewayUid && !seen.has(gatewayUid))
}

/** By its name the gateway says only the last ten, so what was not among them is asked for by its number. */
async function compareOrder({ deps, found }: Comparison, order: OrderRow): Promise<void> {
  const { gatewayUid, amount, currency, title } = order
  const told = await openedShop(deps).gateway.transaction(gatewayUid ?? '')
  if (told?.status === 'successful' && told.amount === amount && told.currency === currency) return
  const says = told ? `у bePaid он «${told.status}» на ${formatSum(told.amount, told.currency)}` : 'у bePaid его нет'
  const ours = `здесь он учтён на ${formatSum(amount, currency)}`
  found.push({ text: `Платёж ${gatewayUid} («${title}»): ${ours}, ${says}.`, attached: false })
}
