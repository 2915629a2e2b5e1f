import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Sum, UserFigures } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { oneRowOf, rowsOf } from '#server/db/rows-of.ts'
import { marginOf, type Period, shiftDay } from './figures.ts'

const WEEK = 7
const MONTH = 30
const TOP = 20

const firstOf = (to: string, days: number) => shiftDay(to, 1 - days)
const whole = z.coerce.number()
const Active = z.object({ now: whole, before: whole, week: whole, weekBefore: whole, month: whole, monthBefore: whole })

/** Distinct users in each span. A user is in a span if their last active day up to its end is not before its start. */
export async function readActive(db: Db, { from, to, before }: Period) {
  const [earliest] = [firstOf(before.to, MONTH), before.from].sort()
  return oneRowOf(
    db,
    sql`
    select count(*) filter (where last >= ${from}::date) as now,
      count(*) filter (where last >= ${firstOf(to, WEEK)}::date) as week,
      count(*) filter (where last >= ${firstOf(to, MONTH)}::date) as month,
      count(*) filter (where earlier >= ${before.from}::date) as before,
      count(*) filter (where earlier >= ${firstOf(before.to, WEEK)}::date) as "weekBefore",
      count(*) filter (where earlier >= ${firstOf(before.to, MONTH)}::date) as "monthBefore"
    from (
      select max(day) as last, max(day) filter (where day < ${from}::date) as earlier
      from stat_active_days where day between ${earliest}::date and ${to}::date
      group by user_hash
    ) as users`,
    Active,
  )
}

const Spender = z.object({
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  messages: whole,
  charged: whole,
  money: z.array(z.object({ currency: z.string(), earned: z.number(), cost: z.number() })),
})

/** The users whose answers cost most; if no costs are known, those who spent most symbols. */
export async function readTopUsers(db: Db, period: Period): Promise<UserFigures[]> {
  const costly = await readTop(db, period, sql`stat_money_days`, sql`cost`)
  return costly.length > 0 ? costly : readTop(db, period, sql`stat_active_days`, sql`charged`)
}

async function readTop(db: Db, { from, to }: Period, table: SQL, rank: SQL): Promise<UserFigures[]> {
  const inside = sql`day between ${from}::date and ${to}::date`
  const rows = await rowsOf(
    db,
    sql`
    with top as materialized (
      select user_hash, sum(${rank}) as most from ${table} where ${inside}
      group by user_hash having sum(${rank}) > 0 order by most desc, user_hash limit ${TOP}
    ), days as (
      select day::date from generate_series(${from}::date, ${to}::date, interval '1 day') as day
    ), usage as (
      select user_hash, sum(messages) as messages, sum(charged) as charged
      from top cross join days join stat_active_days using (day, user_hash) group by user_hash
    ), sums as (
      select user_hash, currency, sum(earned) as earned, sum(cost) as cost
      from top cross join days join stat_money_days using (day, user_hash) group by user_hash, currency
    )
    select u.id, u.name, u.email, coalesce(usage.messages, 0) as messages, coalesce(usage.charged, 0)::float8 as charged,
      coalesce((select json_agg(json_build_object('currency', currency, 'earned', earned, 'cost', cost) order by currency)
                from sums where sums.user_hash = top.user_hash), '[]') as money
    from top left join usage using (user_hash) left join users u on stat_user_hash(u.id) = top.user_hash
    order by top.most desc, top.user_hash`,
    Spender,
  )
  return rows.map(toUserFigures)
}

function toUserFigures({ id, name, email, messages, charged, money }: z.infer<typeof Spender>): UserFigures {
  const sums = (of: 'earned' | 'cost'): Sum[] =>
    money.filter((sum) => sum[of] !== 0).map((sum) => ({ currency: sum.currency, amount: sum[of] }))
  const earned = sums('earned')
  const cost = sums('cost')
  return {
    user: id !== null && name !== null && email !== null ? { id, name, email } : null,
    messages,
    charged,
    earned,
    cost,
    margin: marginOf(earned, cost),
  }
}
