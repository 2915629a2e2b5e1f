import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import {
  bundles,
  modelCalls,
  models,
  orders,
  plans,
  planVersions,
  promoCodes,
  promoUses,
  reversals,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { grant, spend } from '#server/features/billing/ledger.ts'

/** Random actions of users over sixty days; the statistics must equal a count of the resulting rows. */

export type Random = () => number
export const randomFrom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const DAY_MS = 86_400_000
const DAYS = 60
const currencies = ['BYN', 'RUB'] as const
const failures = ['Модель сейчас перегружена', 'internal'] as const

export async function liveRandomly(db: Db, random: Random, actions: number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const upTo = (n: number) => 1 + Math.floor(random() * n)
  /** Often within minutes of a midnight, where an error in the day shows. */
  const randomTime = () => {
    const day = Date.now() - Math.floor(random() * DAYS) * DAY_MS
    const midnight = new Date(day).setUTCHours(21, 0, 0, 0) - DAY_MS
    return new Date(random() < 0.3 ? midnight + (random() - 0.5) * 120_000 : day - random() * DAY_MS)
  }
  const people: string[] = []
  const joined = new Map<string, number>()
  const payments: { uid: string; currency: string }[] = []
  let made = 0
  const next = (name: string) => `${name}-${++made}`
  await db.insert(models).values(['a', 'b'].map((id) => ({ id, name: id, provider: 'x', providerModel: id })))
  await db.insert(plans).values({ id: 'plan', name: 'План' })
  await db.insert(planVersions).values(
    currencies.map((currency, i) => ({
      id: currency,
      planId: 'plan',
      current: i === 0,
      symbols: 900,
      price: 1000 + i,
      currency,
      intervalDays: 30 + i * 60,
    })),
  )
  await db.insert(bundles).values({ id: 'bundle', name: 'Пакет', symbols: 700, price: 333, currency: 'BYN' })
  await db.insert(promoCodes).values({ id: 'code', codeHash: 'code', hint: 'DE', discountPercent: 10, maxUses: null })

  async function join() {
    const id = next('user')
    const createdAt = randomTime()
    await db.insert(users).values({ id, name: id, email: `${id}@example.test`, createdAt })
    joined.set(id, createdAt.getTime())
    await grant(db, { key: `start:${id}`, userId: id, kind: 'gift', symbols: 300 })
    people.push(id)
  }

  /** An exchange, sometimes with another answer to the same question. */
  async function ask(isFirstAnswer = true) {
    const userId = pick(people)
    const createdAt = randomTime()
    const modelId = pick(['a', 'b'])
    const failure = random() < 0.2 ? pick(failures) : null
    const cost = random() < 0.2 ? null : upTo(1000) / 7
    await db.insert(modelCalls).values({
      kind: 'answer',
      userHash: sql`stat_user_hash(${userId})`,
      modelId,
      isFirstAnswer,
      status: failure ? 'failed' : pick(['complete', 'stopped', 'complete'] as const),
      failure,
      cost,
      costCurrency: cost === null ? null : pick(currencies),
      firstTokenMs: upTo(3000),
      totalMs: upTo(30_000),
      createdAt,
    })
    const [input, output] = [upTo(300), upTo(400)]
    if (!failure)
      await spend(
        db,
        { key: next('answer'), userId, kind: 'answer', symbols: input, modelId, input, output },
        createdAt,
      )
    if (random() < 0.15) await ask(false)
  }

  async function subscribe() {
    const userId = pick(people)
    const id = next('sub')
    const at = randomTime()
    const planVersionId = pick(currencies)
    const values = { id, gatewayId: id, userId: null, planVersionId, state: 'redirecting', createdAt: at }
    await db.insert(subscriptions).values(values)
    const withCode = random() < 0.3 && (await applyCode(userId, at))
    const orderId = await order('plan', userId, at, { planVersionId, subscriptionId: id, withCode })
    if (random() < 0.2) {
      await giveUp(orderId)
      return
    }
    await pay(orderId, userId, at)
    const activeTo = new Date(at.getTime() + 30 * DAY_MS)
    await db.update(subscriptions).set({ state: 'active', activeTo }).where(eq(subscriptions.id, id))
    if (random() < 0.5) {
      const renewal = await order('renewal', userId, activeTo, { planVersionId, subscriptionId: id, withCode: false })
      if (random() < 0.3) await giveUp(renewal)
      else await pay(renewal, userId, activeTo)
    }
    if (random() < 0.4)
      await db.update(subscriptions).set({ cancelRequestedAt: randomTime() }).where(eq(subscriptions.id, id))
    else if (random() < 0.2) await db.update(subscriptions).set({ state: 'failed' }).where(eq(subscriptions.id, id))
    if (random() < 0.1) await db.update(subscriptions).set({ revokedAt: randomTime() }).where(eq(subscriptions.id, id))
  }

  async function applyCode(userId: string, createdAt: Date): Promise<boolean> {
    const rows = await db
      .insert(promoUses)
      .values({ promoId: 'code', userId, createdAt })
      .onConflictDoNothing()
      .returning()
    if (rows.length > 0 && random() < 0.3) {
      await db.delete(promoUses).where(and(eq(promoUses.promoId, 'code'), eq(promoUses.userId, userId)))
      return false
    }
    return rows.length > 0
  }

  async function order(
    kind: 'plan' | 'renewal' | 'bundle',
    userId: string,
    createdAt: Date,
    plan: { planVersionId: 'BYN' | 'RUB'; subscriptionId: string; withCode: boolean } | null,
  ): Promise<string> {
    const id = next('order')
    await db
      .update(orders)
      .set({ status: 'expired' })
      .where(and(eq(orders.userId, userId), eq(orders.status, 'pending')))
    await db.insert(orders).values({
      id,
      userId,
      kind,
      title: kind,
      symbols: plan ? 900 : 700,
      amount: plan ? (plan.withCode ? 900 : 1000) : 333,
      currency: plan?.planVersionId ?? 'BYN',
      createdAt,
      ...(plan ? { planVersionId: plan.planVersionId, subscriptionId: plan.subscriptionId } : { bundleId: 'bundle' }),
      ...(plan?.withCode ? { promoId: 'code', discountPercent: 10 } : {}),
    })
    return id
  }

  async function pay(id: string, userId: string, orderedAt: Date) {
    if (random() < 0.3) await db.update(orders).set({ status: 'failed' }).where(eq(orders.id, id))
    const paidAt = new Date(orderedAt.getTime() + random() * 2 * DAY_MS)
    const [row] = await db
      .update(orders)
      .set({ status: 'paid', paidAt, gatewayUid: `uid-${id}` })
      .where(eq(orders.id, id))
      .returning()
    if (!row) throw new Error(`No order ${id}`)
    const kind = row.kind === 'bundle' ? ('bundle' as const) : ('plan' as const)
    const at = Math.min(Date.now(), Math.max(paidAt.getTime(), joined.get(userId) ?? 0))
    await grant(db, { key: `paid:${id}`, userId, kind, symbols: row.symbols, orderId: id }, new Date(at))
    payments.push({ uid: `uid-${id}`, currency: row.currency })
  }

  const giveUp = (id: string) =>
    db
      .update(orders)
      .set({ status: pick(['failed', 'expired'] as const) })
      .where(eq(orders.id, id))

  async function buy() {
    const userId = pick(people)
    const at = randomTime()
    await pay(await order('bundle', userId, at, null), userId, at)
  }

  async function giveBack() {
    const payment = pick(payments)
    if (!payment) return
    const { uid, currency } = payment
    const kind = pick(['refund', 'chargeback'] as const)
    await db
      .insert(reversals)
      .values({ uid: next('back'), parentUid: uid, kind, amount: upTo(300), currency, createdAt: randomTime() })
  }

  for (let i = 0; i < 5; i++) await join()
  const askFirst = () => ask()
  const kinds = [askFirst, askFirst, askFirst, askFirst, join, subscribe, buy, giveBack]
  for (let i = 0; i < actions; i++) await pick(kinds)()
  return { people }
}
