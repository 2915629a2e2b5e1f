import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { DayFigures, Sum } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { groupBy } from './figures.ts'
import { daysOf, type Period } from './period.ts'

const METRICS = ['fresh', 'messages', 'answers', 'failed', 'charged', 'paid', 'unpaid', 'revenue', 'refunds']
const MOVES = ['subs_in', 'subs_out']
const Row = z.object({ day: z.string(), metric: z.string(), currency: z.string(), value: z.coerce.number() })
type Row = z.infer<typeof Row>

export async function readDays(db: Db, { from, to }: Period): Promise<Map<string, Row[]>> {
  const { rows } = (await db.execute(sql`
    select day::text, metric, case when metric in ('revenue', 'refunds') then detail else '' end as currency,
      sum(value)::float8 as value
    from stat_days
    where metric in ${[...METRICS, ...MOVES]} and day between ${from}::date and ${to}::date
      and (metric <> 'unpaid' or detail = 'failed')
    group by 1, 2, 3
    order by 3`)) as unknown as { rows: unknown[] }
  return groupBy(
    rows.map((row) => Row.parse(row)),
    ({ day }) => day,
  )
}

/** Every day of the period, days without data included. */
export function seriesOf(
  period: Period,
  byDay: ReadonlyMap<string, Row[]>,
  active: ReadonlyMap<string, number>,
  subscribersAtStart: number,
): DayFigures[] {
  let subscribers = subscribersAtStart
  return daysOf(period).map((day) => {
    const known = byDay.get(day) ?? []
    const count = (metric: string) => known.find((row) => row.metric === metric)?.value ?? 0
    subscribers += count('subs_in') - count('subs_out')
    return {
      day,
      active: active.get(day) ?? 0,
      fresh: count('fresh'),
      messages: count('messages'),
      answers: count('answers'),
      failed: count('failed'),
      charged: count('charged'),
      paid: count('paid'),
      unpaid: count('unpaid'),
      subscribers,
      revenue: money(known, 'revenue'),
      refunds: money(known, 'refunds'),
    }
  })
}

function money(rows: Row[], metric: string): Sum[] {
  return rows
    .filter((row) => row.metric === metric && row.value !== 0)
    .map(({ currency, value }) => ({ currency, amount: value }))
}
