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

export type Figures = ReturnType<typeof figuresIn>

const DayRow = z.object({
  day: z.string(),
  metric: z.string(),
  key: z.string(),
  detail: z.string(),
  value: z.coerce.number(),
})
export type DayRow = z.infer<typeof DayRow>

/** What the chart shows of the payments of each day. */
const PAYMENT_METRICS = ['paid', 'unpaid', 'revenue', 'refunds', 'subscriptions_started', 'subscriptions_ended']
const PaymentRow = z.extend(DayRow, { total: z.boolean() })

/**
 * Payments and subscriptions: `days` has those of each day, `totals` those of both periods, under their first days, and
 * of all days before them, under the last of these.
 */
export async function readPayments(
  db: Db,
  { from, to, before }: Period,
): Promise<{ totals: DayRow[]; days: DayRow[] }> {
  const rows = await rowsOf(
    db,
    sql`
    with payments as materialized (select * from stat_payments(${before.from}::date, ${to}::date)), totals as (
      select case when day >= ${from}::date then ${from}::date else least(day, ${before.from}::date) end as day,
        metric, key, detail, value from payments
    )
    select true as total, day::text, metric, key, detail, sum(value)::float8 as value
    from totals group by totals.day, metric, key, detail
    union all
    select false, day::text, metric, '', detail, sum(value)::float8
    from payments where day >= ${from}::date and metric in ${PAYMENT_METRICS} group by payments.day, metric, detail`,
    PaymentRow,
  )
  return { totals: rows.filter(({ total }) => total), days: rows.filter(({ total }) => !total) }
}

export function readSums(db: Db, { from, to, before }: Period): Promise<Figure[]> {
  return rowsOf(
    db,
    sql`
    select metric, key, detail,
      coalesce(sum(value) filter (where day >= ${from}::date), 0)::float8 as now,
      coalesce(sum(value) filter (where day < ${from}::date), 0)::float8 as before
    from stat_days where day between ${before.from}::date and ${to}::date and metric <> 'converted'
    group by metric, key, detail
    union all
    select 'converted', '', '', coalesce(sum(value) filter (where key::date between ${from}::date and ${to}::date), 0)::float8,
      coalesce(sum(value) filter (where key::date between ${before.from}::date and ${before.to}::date), 0)::float8
    from stat_days where day >= ${before.from}::date and metric = 'converted'`,
    Row,
  )
}

export const figuresOf = (sums: Figure[], payments: DayRow[], period: Period): Figures =>
  figuresIn([...sums, ...payments.flatMap((row) => paymentFigures(row, period))])

/** A movement of a day; that of a subscription counts on all following days too, under `…_until`. */
function paymentFigures({ day, value, ...row }: DayRow, { from, before }: Period): Figure[] {
  const moved = { ...row, now: day >= from ? value : 0, before: day >= before.from && day < from ? value : 0 }
  if (!/^(subscriptions|mrr)_/.test(row.metric)) return [moved]
  return [moved, { ...row, metric: `${row.metric}_until`, now: value, before: day < from ? value : 0 }]
}

function figuresIn(rows: Figure[]) {
  const byMetric = groupBy(rows, ({ metric }) => metric)
  const of = (metric: string) => byMetric.get(metric) ?? []

  return {
    of,
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

const METRICS = ['new_users', 'active', 'messages', 'answers', 'failed', 'charged']

/** What the chart shows of each day, besides payments. */
export function readDays(db: Db, { from, to }: Period): Promise<DayRow[]> {
  return rowsOf(
    db,
    sql`
    select day::text, metric, '' as key, '' as detail, sum(value)::float8 as value
    from stat_days where metric in ${METRICS} and day between ${from}::date and ${to}::date
    group by stat_days.day, metric`,
    DayRow,
  )
}

/** Every day of the period, days without data included. */
export function seriesOf(period: Period, rows: DayRow[], subscribersAtStart: number): DayFigures[] {
  const byDay = groupBy(rows, ({ day }) => day)
  let subscribers = subscribersAtStart
  return daysOf(period).map((day) => {
    const known = groupBy(byDay.get(day) ?? [], ({ metric }) => metric)
    const count = (metric: string, detail?: string) =>
      (known.get(metric) ?? []).reduce(
        (sum, row) => (detail === undefined || row.detail === detail ? sum + row.value : sum),
        0,
      )
    subscribers += count('subscriptions_started') - count('subscriptions_ended')
    return {
      day,
      active: count('active'),
      fresh: count('new_users'),
      messages: count('messages'),
      answers: count('answers'),
      failed: count('failed'),
      charged: count('charged'),
      paid: count('paid'),
      unpaid: count('unpaid', 'failed'),
      subscribers,
      revenue: moneyIn(known.get('revenue')),
      refunds: moneyIn(known.get('refunds')),
    }
  })
}

function moneyIn(rows: DayRow[] = []): Sum[] {
  return [...groupBy(rows, ({ detail }) => detail)]
    .map(([currency, parts]) => ({ currency, amount: parts.reduce((sum, { value }) => sum + value, 0) }))
    .sort((a, b) => a.currency.localeCompare(b.currency))
}
