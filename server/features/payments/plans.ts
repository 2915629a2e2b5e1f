import { and, asc, eq } from 'drizzle-orm'
import type { Plan, PlanChange } from '#contract/plans.ts'
import type { Db } from '#server/db/client.ts'
import { putInOrder } from '#server/db/positions.ts'
import { plans, planVersions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit, namesBeforeAfter } from '../audit/audit.ts'
import type { PaymentDeps } from './deps.ts'
import { emailSubscribers } from './emails.ts'

/** A plan as it is sold now. */
export type PlanForSale = Plan & { versionId: string }

const termNames = ['symbols', 'price', 'currency', 'intervalDays'] as const
const looks = {
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
    .select({ ...looks, ...terms })
    .from(plans)
    .innerJoin(planVersions, and(eq(planVersions.planId, plans.id), planVersions.current))

export async function listPlans({ db, user }: Ctx): Promise<Plan[]> {
  return plansWithTerms(db)
    .where(user.role === 'admin' ? undefined : eq(plans.active, true))
    .orderBy(asc(plans.position), asc(plans.createdAt), asc(plans.id))
}

/** The plan of this id, or the default: the first of those on sale. */
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
  const { name, description, active, position, ...asked } = draft
  return db.transaction(async (tx) => {
    const id = newId()
    await tx.insert(plans).values({ id, name, description, active, position })
    await tx.insert(planVersions).values({ id: newId(), planId: id, ...asked })
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

/** Other terms are a new version; whoever has bought keeps the terms he agreed to, and is told of the new ones. */
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
