import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import { ledger, spendKinds } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { dayOf, SHIFT_HOURS, startOfDay } from './days.ts'

/** What was spent on each of the last days, the oldest first, quiet days too. */
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
