import { and, asc, eq, gt, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Grant, price } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { grants, ledger, spendKinds } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { readModel } from '../models/models.ts'
import { dayOf, SHIFT_HOURS, startOfDay } from './days.ts'
import { setDailyCap, spend } from './ledger.ts'
import { singleSubscription } from './single-subscription.ts'

/** For API clients; the web pages are charged by the server itself. */
export async function spendOwn(ctx: Ctx, { amount, modelId }: { amount: number; modelId: string }) {
  const { inputRate, outputRate } = await readModel(ctx, modelId)
  const symbols = Math.min(price(amount, 0, { inputRate, outputRate }), Number.MAX_SAFE_INTEGER)
  if (symbols > 0) {
    await spend(ctx.db, {
      key: `balance:${newId()}`,
      userId: ctx.user.id,
      kind: 'balance',
      symbols,
      modelId,
      input: amount,
      output: 0,
      inputRate,
      outputRate,
    })
    publishBalance(ctx, ctx.user.id)
  }
  return { SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

export async function changeDailyCap(ctx: Ctx, dailyCap: number | null) {
  await setDailyCap(ctx.db, ctx.user.id, dailyCap)
  publishBalance(ctx, ctx.user.id)
  return { SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

/** Grants with symbols left, in the order they will be spent. */
export async function grantsOf(db: Db, userId: string): Promise<Grant[]> {
  const rows = await db
    .select()
    .from(grants)
    .where(
      and(
        eq(grants.userId, userId),
        gt(grants.remaining, 0),
        or(isNull(grants.expiresAt), gt(grants.expiresAt, new Date())),
      ),
    )
    .orderBy(sql`${grants.expiresAt} nulls last`, asc(grants.createdAt), asc(grants.id))
  return rows.map(({ id, kind, symbols, remaining, expiresAt, note, createdAt }) => ({
    id,
    kind,
    symbols,
    remaining,
    expiresAt: expiresAt?.toISOString() ?? null,
    note,
    createdAt: createdAt.toISOString(),
  }))
}

/** Symbols spent on each of the last days, oldest first, days without spending included. */
export async function usageByDay({ db, user }: Ctx, days: number, now = new Date()) {
  const first = startOfDay(dayOf(now), 1 - days)
  const day = sql<string>`to_char(${ledger.createdAt} at time zone 'UTC' + make_interval(hours => ${SHIFT_HOURS}), 'YYYY-MM-DD')`
  const rows = await db
    .select({ day: day.as('day'), symbols: sql<string>`-sum(${ledger.symbols})` })
    .from(ledger)
    .where(and(eq(ledger.userId, user.id), inArray(ledger.kind, [...spendKinds]), gte(ledger.createdAt, first)))
    .groupBy(sql`day`)
  const spent = new Map(rows.map((row) => [row.day, Number(row.symbols)]))
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(startOfDay(dayOf(first), i))
    return { day, symbols: spent.get(day) ?? 0 }
  })
}

export function publishBalance({ publish }: Pick<Ctx, 'publish'>, userId: string): void {
  afterCommit(() => publish(userId, { topic: 'profile', type: 'changed', data: null }))
}
