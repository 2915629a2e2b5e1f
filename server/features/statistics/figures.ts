import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { DayFigures, Pair, Share, Sum, SumPair } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { AppError } from '#server/lib/errors.ts'
import { dayOf, startOfDay } from '../billing/days.ts'

const DEFAULT_DAYS = 30
const MAX_DAYS = 1100

export interface Days {
  from: string
  to: string
}

export interface Period extends Days {
  days: number
  before: Days
}

export const shiftDay = (day: string, by: number) => dayOf(startOfDay(day, by))
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** The requested days, up to today, and the same number of days before them. */
export function periodOf(query: Partial<Days>, now = new Date()): Period {
  const today = dayOf(now)
  const to = query.to && query.to < today ? query.to : today
  const from = query.from ?? shiftDay(to, 1 - DEFAULT_DAYS)
  const days = daysBetween(from, to) + 1
  if (days < 1) throw new AppError('bad_request', 'Начало периода позже его конца', { field: 'from' })
  if (days > MAX_DAYS)
    throw new AppError('bad_request', 'Слишком длинный период: не больше трёх лет', { field: 'from' })
  return { from, to, days, before: { from: shiftDay(from, -days), to: shiftDay(from, -1) } }
}

export function daysOf({ from, days }: Pick<Period, 'from' | 'days'>): string[] {
  return Array.from({ length: days }, (_, i) => shiftDay(from, i))
}

const Row = z.object({
  metric: z.string(),
  key: z.string(),
  detail: z.string(),
  now: z.coerce.number(),
  before: z.coerce.number(),
})
type Figure = z.infer<typeof Row>

/** The sums of a period and of the one before it, by metric. */
export type Figures = ReturnType<typeof figuresIn>

/** Cumulative metrics: their value for a period is the sum of all days up to its end. */
const CUMULATIVE = ['subs_in', 'subs_out', 'mrr_in', 'mrr_out']

export async function readFigures(db: Db, { from, to, before }: Period): Promise<Figures> {
  const rows = await rowsOf(
    db,
    sql`
    select metric, key, detail,
      coalesce(sum(value) filter (where day >= ${from}::date), 0)::float8 as now,
      coalesce(sum(value) filter (where day < ${from}::date), 0)::float8 as before
    from stat_days where day between ${before.from}::date and ${to}::date
    group by metric, key, detail
    union all
    select metric || '_all', '', detail, sum(value)::float8,
      coalesce(sum(value) filter (where day < ${from}::date), 0)::float8
    from stat_days where metric in ${CUMULATIVE} and day <= ${to}::date
    group by metric, detail
    union all
    select metric || '_earlier', '', detail, 0, sum(value)::float8
    from stat_days where metric in ${CUMULATIVE} and day < ${before.from}::date
    group by metric, detail`,
    Row,
  )
  return figuresIn(rows)
}

function figuresIn(rows: Figure[]) {
  const byMetric = groupBy(rows, ({ metric }) => metric)
  const of = (metric: string) => byMetric.get(metric) ?? []

  return {
    of,
    /** The sum of a metric over all keys and details, or over those that match. */
    sum: (metric: string, fits: (figure: Figure) => boolean = () => true): Pair =>
      of(metric)
        .filter(fits)
        .reduce((all, { now, before }) => ({ now: all.now + now, before: all.before + before }), none),
    /** Money by currency, which is stored in `detail`. */
    money: (metric: string, fits: (figure: Figure) => boolean = () => true): SumPair[] =>
      [...groupBy(of(metric).filter(fits), ({ detail }) => detail)]
        .map(([currency, parts]) => ({
          currency,
          now: parts.reduce((sum, { now }) => sum + now, 0),
          before: parts.reduce((sum, { before }) => sum + before, 0),
        }))
        .filter(({ now, before }) => now !== 0 || before !== 0)
        .sort((a, b) => a.currency.localeCompare(b.currency)),
  }
}

export function groupBy<T, Key>(rows: readonly T[], keyOf: (row: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

const none: Pair = { now: 0, before: 0 }

export const share = (part: Pair, whole: Pair): Share => ({
  now: whole.now > 0 ? part.now / whole.now : null,
  before: whole.before > 0 ? part.before / whole.before : null,
})

export const subtractPairs = (a: Pair, b: Pair): Pair => ({ now: a.now - b.now, before: a.before - b.before })

/** `a` minus `b`, by currency. */
export function subtractMoney(a: SumPair[], b: SumPair[]): SumPair[] {
  const currencies = [...new Set([...a, ...b].map(({ currency }) => currency))].sort()
  const at = (sums: SumPair[], currency: string) => sums.find((sum) => sum.currency === currency) ?? none
  return currencies.map((currency) => ({ currency, ...subtractPairs(at(a, currency), at(b, currency)) }))
}

export const sumsNow = (pairs: SumPair[]): Sum[] =>
  pairs.filter(({ now }) => now !== 0).map(({ currency, now }) => ({ currency, amount: now }))

export function marginOf(earned: Sum[], cost: Sum[]): Sum[] {
  const spent = new Map(cost.map(({ currency, amount }) => [currency, amount]))
  const left = earned.map(({ currency, amount }) => ({ currency, amount: amount - (spent.get(currency) ?? 0) }))
  const unearned = cost.filter(({ currency }) => !earned.some((sum) => sum.currency === currency))
  return [...left, ...unearned.map(({ currency, amount }) => ({ currency, amount: -amount }))]
}

const METRICS = ['fresh', 'messages', 'answers', 'failed', 'charged', 'paid', 'unpaid', 'revenue', 'refunds']
const MOVES = ['subs_in', 'subs_out']
const DayRow = z.object({ day: z.string(), metric: z.string(), currency: z.string(), value: z.coerce.number() })
type DayRow = z.infer<typeof DayRow>

export async function readDays(db: Db, { from, to }: Period): Promise<Map<string, DayRow[]>> {
  const rows = await rowsOf(
    db,
    sql`
    select day::text, metric, case when metric in ('revenue', 'refunds') then detail else '' end as currency,
      sum(value)::float8 as value
    from stat_days
    where metric in ${[...METRICS, ...MOVES]} and day between ${from}::date and ${to}::date
      and (metric <> 'unpaid' or detail = 'failed')
    group by 1, 2, 3
    order by 3`,
    DayRow,
  )
  return groupBy(rows, ({ day }) => day)
}

/** Every day of the period, days without data included. */
export function seriesOf(
  period: Period,
  byDay: ReadonlyMap<string, DayRow[]>,
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

function money(rows: DayRow[], metric: string): Sum[] {
  return rows
    .filter((row) => row.metric === metric && row.value !== 0)
    .map(({ currency, value }) => ({ currency, amount: value }))
}
