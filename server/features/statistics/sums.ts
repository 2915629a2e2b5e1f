import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { statDays } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { dayOf } from '../billing/days.ts'
import { shiftDay } from './figures.ts'
import { checkNewEntries, forgetSummedDays, noteSummedDay, readSummedDay } from './notes.ts'

/** What began before midnight is stored by then. */
const MARGIN_MS = 10 * 60_000

/** Sums every day that is over and not summed yet. Such a day is final: it is not summed again. */
export async function sumFinishedDays(db: Db, now = new Date()): Promise<void> {
  const last = shiftDay(dayOf(new Date(now.getTime() - MARGIN_MS)), -1)
  for (let day = await firstOpenDay(db); day !== null && day <= last; day = shiftDay(day, 1))
    await sumDay(db, day, noteSummedDay)
}

/** Brings the sums up to this moment: those of today, and of days that are over but not final. */
export async function sumOpenDays(db: Db, now = new Date()): Promise<void> {
  await sumFinishedDays(db, now)
  const today = dayOf(now)
  for (let day = await firstOpenDay(db); day !== null && day <= today; day = shiftDay(day, 1)) await sumDay(db, day)
}

/** Rows that were deleted are no longer counted afterwards. */
export async function sumAllDays(db: Db, now = new Date()): Promise<void> {
  await forgetSummedDays(db)
  await sumOpenDays(db, now)
}

/** Sums a day, unless another instance has made it final. Under a lock, because sums of a day replace each other. */
async function sumDay(db: Db, day: string, afterwards?: (tx: Db, day: string) => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7205433)`)
    const summed = await readSummedDay(tx)
    if (summed !== null && day <= summed) return
    await tx.execute(sql`select stat_sum_day(${day}::date)`)
    await afterwards?.(tx, day)
  })
}

const FirstDay = z.object({ day: z.nullable(z.string()) })

/** The day after the last final one, or that of the first row; null in an empty database. */
async function firstOpenDay(db: Db): Promise<string | null> {
  const summed = await readSummedDay(db)
  if (summed !== null) return shiftDay(summed, 1)
  const first = sql`
    select money_day(least(
      (select min(created_at) from users), (select min(created_at) from ledger), (select min(created_at) from model_calls)
    ))::text as day`
  return (await oneRowOf(db, first, FirstDay)).day
}

interface CountedEvent {
  metric: 'ratings' | 'promo_uses'
  at: Date
  key?: string
  detail?: string
}

/** Takes back what a final day has counted. A day that is not final is summed again anyway. */
export async function uncount(db: Db, { metric, at, key = '', detail = '' }: CountedEvent): Promise<void> {
  await db
    .update(statDays)
    .set({ value: sql`${statDays.value} - 1` })
    .where(
      and(eq(statDays.day, dayOf(at)), eq(statDays.metric, metric), eq(statDays.key, key), eq(statDays.detail, detail)),
    )
}

export const statisticsJobs = (db: Db): Job[] => [
  // Some minutes after the margin beyond midnight in UTC+3. A run that a downtime has prevented follows at the start.
  { name: 'sum-days', cron: '12 21 * * *', run: () => sumFinishedDays(longRunning(db)), limitSeconds: 3600 },
  {
    name: 'check-ledger',
    cron: '13 4 * * *',
    run: () => checkNewEntries(longRunning(db)),
    limitSeconds: 4 * 3600,
  },
]
