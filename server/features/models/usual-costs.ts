import { and, avg, count, desc, eq, gt, not, type SQL, sql } from 'drizzle-orm'
import type { UsualCost } from '#contract/models.ts'
import type { Db } from '#server/db/client.ts'
import { ledger, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'

/** How many of the newest ledger entries are read, by an index, and how many answers of a model are enough. */
const OWN = { entries: 400, answers: 5 }
const EVERYBODY = { entries: 20_000, answers: 20 }
const CACHE_MS = 10 * 60_000

/** What answers usually cost: the user's own past ones; with too few of them, everybody's, computed rarely. */
export function createUsualCosts(now: () => number = Date.now) {
  let everybody: { costs: Promise<UsualCost[]>; until: number } | null = null

  function readEverybody(db: Db): Promise<UsualCost[]> {
    if (everybody && now() < everybody.until) return everybody.costs
    const costs = readCosts(db, undefined, EVERYBODY)
    everybody = { costs, until: now() + CACHE_MS }
    costs.catch(() => {
      everybody = null
    })
    return costs
  }

  return async ({ db, user }: { db: Db; user: Pick<Ctx['user'], 'id'> }): Promise<UsualCost[]> => {
    const own = await readCosts(db, eq(ledger.userId, user.id), OWN)
    const known = new Set(own.map(({ modelId }) => modelId))
    return [...own, ...(await readEverybody(db)).filter(({ modelId }) => !known.has(modelId))]
  }
}

async function readCosts(db: Db, whose: SQL | undefined, sample: typeof OWN): Promise<UsualCost[]> {
  const { kind, modelId, output, symbols } = ledger
  const recent = db
    .select({ kind, modelId, output, symbols })
    .from(ledger)
    .where(whose)
    .orderBy(desc(ledger.id))
    .limit(sample.entries)
    .as('recent')
  const quartile = (share: number) =>
    sql<number>`percentile_cont(${share}) within group (order by ${recent.output})`.mapWith(Number)
  const rows = await db
    .select({
      modelId: models.id,
      low: quartile(0.25),
      high: quartile(0.75),
      exchange: avg(sql`-${recent.symbols}`).mapWith(Number),
    })
    .from(recent)
    .innerJoin(models, and(eq(models.id, recent.modelId), not(models.hidden), eq(models.kind, 'text')))
    .where(and(eq(recent.kind, 'answer'), gt(recent.output, 0)))
    .groupBy(models.id)
    .having(sql`${count()} >= ${sample.answers}`)
  return rows.map(({ low, high, exchange, ...row }) => ({
    ...row,
    answer: { low: Math.round(low), high: Math.round(high) },
    exchange: Math.round(exchange),
  }))
}
