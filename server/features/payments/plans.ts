import { and, asc, eq, isNull } from 'drizzle-orm'
import type { BundleChange, Plan, PlanChange, TokenBundle } from '#contract/plans.ts'
import { putInOrder } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { bundles, plans, planVersions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit, namesBeforeAfter } from '../audit/audit.ts'
import type { PaymentDeps } from './deps.ts'
import { emailSubscribers } from './emails.ts'
import { canPay, gatewaysOn } from './shops.ts'

export type PlanForSale = Plan & { versionId: string }

const termNames = ['symbols', 'price', 'currency', 'intervalDays'] as const
const planFields = {
  id: plans.id,
  name: plans.name,
  description: plans.description,
  active: plans.active,
  position: plans.position,
}
const terms = {
  versionId: planVersions.id,
  symbols: planVersions.symbols,
  price: planVersions.price,
  currency: planVersions.currency,
  intervalDays: planVersions.intervalDays,
}

const plansWithTerms = (db: Db) =>
  db
    .select({ ...planFields, ...terms })
    .from(plans)
    .innerJoin(planVersions, and(eq(planVersions.planId, plans.id), planVersions.current))

export async function listPlans({ db, user }: Ctx): Promise<Plan[]> {
  return plansWithTerms(db)
    .where(user.role === 'admin' ? undefined : eq(plans.active, true))
    .orderBy(asc(plans.position), asc(plans.createdAt), asc(plans.id))
}

/** What nobody can pay is not offered, unless nothing can be paid at all: then the prices are shown with a note. */
export function payable<Item extends { currency: string }>({ user }: Ctx, deps: PaymentDeps, items: Item[]): Item[] {
  if (user.role === 'admin' || gatewaysOn(deps).length === 0) return items
  return items.filter(({ currency }) => canPay(deps, currency))
}

export async function cheapestPlan(db: Db): Promise<Plan | null> {
  const [plan] = await plansWithTerms(db)
    .where(eq(plans.active, true))
    .orderBy(asc(planVersions.price), asc(plans.position))
    .limit(1)
  return plan ?? null
}

/** Without an id: the first plan on sale. */
export async function planForSale(db: Db, id?: string): Promise<PlanForSale> {
  const [plan] = await plansWithTerms(db)
    .where(and(plans.active, id === undefined ? undefined : eq(plans.id, id)))
    .orderBy(asc(plans.position), asc(plans.createdAt), asc(plans.id))
    .limit(1)
  if (!plan) throw notFound(id === undefined ? 'Тарифов пока нет' : 'Такого тарифа нет в продаже')
  return plan
}

export async function addPlan(ctx: Ctx, draft: Omit<Plan, 'id'>): Promise<Plan> {
  return ctx.db.transaction(async (tx) => {
    const plan = await createPlan(tx, draft)
    await audit(ctx, { action: 'plan.create', kind: 'plan', target: plan.id, after: plan })
    return plan
  })
}

export async function createPlan(db: Db, draft: Omit<Plan, 'id'>): Promise<Plan> {
  const { name, description, active, position, ...terms } = draft
  return db.transaction(async (tx) => {
    const id = newId()
    await tx.insert(plans).values({ id, name, description, active, position })
    await tx.insert(planVersions).values({ id: newId(), planId: id, ...terms })
    return { id, ...draft }
  })
}

export async function reorderPlans(ctx: Ctx, ids: string[]): Promise<Plan[]> {
  return ctx.db.transaction(async (tx) => {
    const before = await listPlans({ ...ctx, db: tx })
    await putInOrder(tx, plans, ids)
    const after = await listPlans({ ...ctx, db: tx })
    await audit(ctx, { action: 'plan.order', kind: 'plan', target: null, ...namesBeforeAfter(before, after) })
    return after
  })
}

/** New terms are a new version: subscribers keep the terms they agreed to and get an email about the new ones. */
export async function changePlan(ctx: Ctx, deps: PaymentDeps, id: string, change: PlanChange): Promise<Plan> {
  return ctx.db.transaction(async (tx) => {
    const [locked] = await tx.select({ id: plans.id }).from(plans).where(eq(plans.id, id)).for('update')
    const [before] = locked ? await plansWithTerms(tx).where(eq(plans.id, id)) : []
    if (!before) throw notFound('Такого тарифа нет')
    const { versionId, ...plan } = before
    const after: Plan = { ...plan, ...change }
    const { name, description, active, position } = after
    await tx.update(plans).set({ name, description, active, position }).where(eq(plans.id, id))
    if (termNames.some((name) => after[name] !== plan[name])) {
      const { symbols, price, currency, intervalDays } = after
      await tx.update(planVersions).set({ current: false }).where(eq(planVersions.id, versionId))
      const newVersionId = newId()
      await tx.insert(planVersions).values({ id: newVersionId, planId: id, symbols, price, currency, intervalDays })
      await emailSubscribers(tx, deps, after, newVersionId)
    }
    await audit(ctx, { action: 'plan.change', kind: 'plan', target: id, before: plan, after })
    return after
  })
}

export async function listBundles({ db, user }: Ctx): Promise<TokenBundle[]> {
  return db
    .select()
    .from(bundles)
    .where(and(isNull(bundles.deletedAt), user.role === 'admin' ? undefined : bundles.active))
    .orderBy(asc(bundles.position), asc(bundles.createdAt), asc(bundles.id))
}

export async function bundleForSale(db: Db, id: string): Promise<TokenBundle> {
  const [bundle] = await db
    .select()
    .from(bundles)
    .where(and(isNotDeleted(id), bundles.active))
  if (!bundle) throw notFound('Такого пакета нет в продаже')
  return bundle
}

export async function addBundle(ctx: Ctx, draft: Omit<TokenBundle, 'id'>): Promise<TokenBundle> {
  return ctx.db.transaction(async (tx) => {
    const bundle = await createBundle(tx, draft)
    await audit(ctx, { action: 'bundle.create', kind: 'bundle', target: bundle.id, after: bundle })
    return bundle
  })
}

export async function createBundle(db: Db, draft: Omit<TokenBundle, 'id'>): Promise<TokenBundle> {
  const bundle = { id: newId(), ...draft }
  await db.insert(bundles).values(bundle)
  return bundle
}

/** Orders store their own title, symbols and amount, so a changed bundle does not affect them. */
export async function changeBundle(ctx: Ctx, id: string, change: BundleChange): Promise<TokenBundle> {
  return ctx.db.transaction(async (tx) => {
    const before = await lockBundle(tx, id)
    const [after] = await tx
      .update(bundles)
      .set({ ...change, id })
      .where(isNotDeleted(id))
      .returning()
    await audit(ctx, { action: 'bundle.change', kind: 'bundle', target: id, before, after })
    return after ?? before
  })
}

async function lockBundle(tx: Db, id: string) {
  const [bundle] = await tx.select().from(bundles).where(isNotDeleted(id)).for('update')
  if (!bundle) throw notFound('Такого пакета нет')
  return bundle
}

export async function reorderBundles(ctx: Ctx, ids: string[]): Promise<TokenBundle[]> {
  return ctx.db.transaction(async (tx) => {
    const before = await listBundles({ ...ctx, db: tx })
    await putInOrder(tx, bundles, ids, isNull(bundles.deletedAt))
    const after = await listBundles({ ...ctx, db: tx })
    await audit(ctx, { action: 'bundle.order', kind: 'bundle', target: null, ...namesBeforeAfter(before, after) })
    return after
  })
}

export async function deleteBundle(ctx: Ctx, id: string): Promise<TokenBundle> {
  return ctx.db.transaction(async (tx) => {
    const bundle = await lockBundle(tx, id)
    await tx.update(bundles).set({ active: false, deletedAt: new Date() }).where(isNotDeleted(id))
    const { id: _, createdAt: __, deletedAt: ___, ...before } = bundle
    await audit(ctx, { action: 'bundle.delete', kind: 'bundle', target: id, before })
    return { ...bundle, active: false }
  })
}

const isNotDeleted = (id: string) => and(eq(bundles.id, id), isNull(bundles.deletedAt))

/** In minor units, as they are usual in the country. */
const demoPrices = {
  BYN: { plans: [990, 2990], bundles: [350, 1490, 4990] },
  RUB: { plans: [29_900, 89_900], bundles: [9900, 44_900, 149_000] },
} as const

/** Plans and bundles of the demo; a real installation starts with none. */
export async function seedOffer(db: Db, currency: keyof typeof demoPrices = 'BYN'): Promise<void> {
  const prices = demoPrices[currency]
  const month = { currency, intervalDays: 30, active: true }
  if ((await db.$count(plans)) === 0) {
    const start = 'Для писем, перевода и вопросов на каждый день.'
    const pro = 'Для тех, кто работает с текстами и файлами весь день.'
    const [low, high] = prices.plans
    await createPlan(db, { name: 'Старт', description: start, symbols: 500_000, price: low, position: 0, ...month })
    await createPlan(db, { name: 'Про', description: pro, symbols: 2_000_000, price: high, position: 1, ...month })
  }
  if ((await db.$count(bundles)) === 0) {
    const sizes = [
      { name: 'Пакет на пробу', symbols: 100_000, price: prices.bundles[0] },
      { name: 'Средний пакет', symbols: 500_000, price: prices.bundles[1] },
      { name: 'Большой пакет', symbols: 2_000_000, price: prices.bundles[2] },
    ]
    for (const [position, size] of sizes.entries())
      await createBundle(db, { ...size, currency, active: true, position })
  }
}
