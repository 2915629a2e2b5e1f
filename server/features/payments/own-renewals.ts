import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, paymentMethods, plans, planVersions, renewals, subscriptions, users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { isFinalRefusal } from '#server/payments/gateway.ts'
import type { YookassaShop } from '#server/payments/shop.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { emailDeclinedRenewal } from './emails.ts'
import { endOwn } from './end-own.ts'
import { ingest } from './ingest.ts'
import { type OrderRow, tracesOf, trackingIdOf } from './orders.ts'
import { receiptFor } from './receipts.ts'
import { reportOf } from './reports.ts'
import { activeMethod, type MethodRow, readToken } from './saved-methods.ts'
import { isForbidden, rememberRefusal, shopRefusalsOf } from './shop-refusals.ts'
import { shopOf } from './shops.ts'
import { FIRST_CHECK_MS, isLive, type SubscriptionRow } from './subscription-state.ts'

/** How soon a charge without a final answer is asked about again. */
const PENDING_MS = 5 * 60_000
/** Below the lease of a check, after which another process takes over. */
const STALE_MS = 4 * 60_000
/** The gateway forgets the key of a request after a day: repeated later, it might be a second charge. */
const KEY_LIFE_MS = 23 * 3_600_000

interface Attempt {
  order: OrderRow
  method: MethodRow | null
  email: string
  isNew: boolean
}

/**
 * Charges the next period of a subscription that we renew ourselves. The row of the period and the order of the attempt
 * are stored before the request, and the order's id is its key: after a crash, a timeout or in two processes at once
 * the same request is repeated, which charges once. A further attempt begins only after a stored decline.
 */
export async function renewOwn(deps: PaymentDeps, row: SubscriptionRow, now = new Date()): Promise<void> {
  if (row.cancelRequestedAt) return endOwn(deps, row)
  const openedAt = performance.now()
  const attempt = await openAttempt(deps, row.id, now)
  if (!attempt) return
  const shop = shopOf(deps, row) as YookassaShop
  const { order, isNew } = attempt
  const made = isNew ? [] : await shop.gateway.transactionsOf(tracesOf(order))
  // A request that has left no trace in a day was not carried out; the next attempt has a key of its own.
  if (made.length === 0 && now.getTime() - order.createdAt.getTime() > KEY_LIFE_MS)
    return ingestRefused(deps, order, (await isRefusing(deps.db)) ? 'refused_by_gateway' : 'internal_timeout')
  if (made.length === 0) {
    const token = attempt.method && (await readToken(deps, attempt.method))
    // The method was removed meanwhile. A charge that was made nevertheless is found by the check of its order.
    if (!token) return setCheck(deps, row.id, new Date(now.getTime() + PENDING_MS))
    // If this process was frozen for long, another one has taken over.
    if (performance.now() - openedAt > STALE_MS) throw new Error('payments: renewal was opened too long ago')
    const charged = await charge(deps, shop, attempt, token)
    if (!charged) return
    made.push(charged)
  }
  for (const transaction of made) {
    const { uid: gatewayToken } = transaction
    if (transaction.type === 'payment')
      await deps.db.update(orders).set({ gatewayToken }).where(eq(orders.id, order.id))
    await ingest(deps, reportOf(transaction), { source: 'request', gateway: row.gateway, orderId: order.id })
  }
  if (made.some(({ status }) => status === 'pending'))
    await setCheck(deps, row.id, new Date(now.getTime() + PENDING_MS))
}

/** Null when the gateway refused the request: nothing was charged. */
async function charge(deps: PaymentDeps, { gateway }: YookassaShop, { order, method, email }: Attempt, token: string) {
  const { title, amount, currency } = order
  const receipt = receiptFor(deps, order, email)
  // If this process dies now, the check of the order finds the charge, also after a cancellation.
  const checkAt = new Date(Date.now() + FIRST_CHECK_MS)
  await deps.db
    .update(orders)
    .set({ status: 'pending', checkAt })
    .where(and(eq(orders.id, order.id), isNull(orders.paidAt)))
  try {
    return await gateway.chargeMethod({ trackingId: trackingIdOf(order), title, amount, currency, receipt, token })
  } catch (error) {
    // The shop lost its permission: its owner is told, and the charge is repeated like with wrong credentials.
    if (isForbidden(error) && !isFinalRefusal(error)) await rememberRefusal(deps, 'save', method?.kind ?? null, error)
    if (!isFinalRefusal(error)) throw error
    // The first answer may have been lost: the same key with other data is refused too.
    const found = await gateway.transactionsOf(tracesOf(order))
    if (found[0]) return found[0]
    deps.log?.error({ err: error, orderId: order.id }, 'payments: the gateway refused a renewal')
    await ingestRefused(deps, order, 'refused_by_gateway')
    return null
  }
}

const isRefusing = async (db: Db) => (await shopRefusalsOf(db)).some(({ what }) => what === 'save')

/** Counts like a decline that may pass, so that it is tried again. */
async function ingestRefused(deps: PaymentDeps, order: OrderRow, reason: string): Promise<void> {
  const transaction = {
    ...{ uid: `refused:${order.id}`, type: 'payment', status: 'failed', test: false },
    ...{ amount: order.amount, currency: order.currency, tracking_id: trackingIdOf(order), message: reason },
  }
  await ingest(deps, { transaction }, { source: 'request', gateway: 'yookassa', orderId: order.id })
}

/** Null when nothing is to be charged now. */
async function openAttempt(deps: PaymentDeps, id: string, now: Date): Promise<Attempt | null> {
  return deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row?.userId || !row.renewAt || !isLive(row)) return null
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.userId))
    const cycle = row.paidBillingCycles + 1
    const ofPeriod = and(eq(renewals.subscriptionId, id), eq(renewals.cycle, cycle))
    const [known] = await tx.select().from(renewals).where(ofPeriod).for('update')
    const dueAt = known?.nextAt ?? row.renewAt
    if (dueAt > now && known?.state !== 'charging') {
      await setCheck({ db: tx }, id, dueAt)
      return null
    }
    const email = user?.email ?? ''
    if (known?.state === 'charging') {
      const [order] = await tx.select().from(orders).where(eq(orders.id, known.orderId))
      const [method] = await tx
        .select()
        .from(paymentMethods)
        .where(eq(paymentMethods.id, known.methodId ?? ''))
      return order ? { order, method: method ?? null, email, isNew: false } : null
    }
    if (known && known.state !== 'waiting') return null
    const order = await insertOrder(tx, row, now)
    const method = await activeMethod(tx, row.userId)
    const methodId = method?.id ?? null
    if (!method) return endWithoutMethod(tx, deps, row, order)
    const attempt = { state: 'charging' as const, orderId: order.id, methodId, nextAt: null, updatedAt: new Date() }
    if (known) {
      await tx
        .update(renewals)
        .set({ ...attempt, attempts: known.attempts + 1 })
        .where(ofPeriod)
    } else await tx.insert(renewals).values({ subscriptionId: id, cycle, ...attempt })
    return { order, method, email, isNew: true }
  })
}

/** The next plan, if one was chosen, otherwise the terms that the payer agreed to. */
async function insertOrder(tx: Db, row: SubscriptionRow, now: Date): Promise<OrderRow> {
  const planVersionId = row.nextPlanVersionId ?? row.planVersionId
  const [version] = await tx
    .select({ name: plans.name, terms: planVersions })
    .from(planVersions)
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(eq(planVersions.id, planVersionId))
  if (!version) throw new Error(`No plan of subscription ${row.id}`)
  const { symbols, price: amount, currency } = version.terms
  const createdAt = new Date()
  const [order] = await tx
    .insert(orders)
    .values({
      ...{ id: newId(), userId: row.userId, gateway: row.gateway, kind: 'renewal', planVersionId, symbols, amount },
      ...{ currency, title: `Тариф «${version.name}»`, subscriptionId: row.id, createdAt },
      checkAt: new Date(Math.max(now.getTime(), createdAt.getTime()) + FIRST_CHECK_MS),
    })
    .returning()
  if (!order) throw new Error('payments: no order of a renewal')
  return order
}

/** Nothing can be charged: the payer is told how to go on. */
async function endWithoutMethod(tx: Db, deps: PaymentDeps, { id, userId }: SubscriptionRow, order: OrderRow) {
  await tx.update(orders).set({ status: 'failed', checkAt: null }).where(eq(orders.id, order.id))
  const ended = { state: 'failed', renewAt: null, checkAt: null, nextPlanVersionId: null }
  await tx.update(subscriptions).set(ended).where(eq(subscriptions.id, id))
  await emailDeclinedRenewal(tx, deps, order, { reason: 'no-method', nextAt: null })
  publishProfile(deps, userId)
  return null
}

async function setCheck({ db }: { db: Db }, id: string, checkAt: Date): Promise<void> {
  await db.update(subscriptions).set({ checkAt }).where(eq(subscriptions.id, id))
}
