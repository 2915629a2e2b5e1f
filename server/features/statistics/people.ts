import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Sum, UserFigures } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { oneRowOf, rowsOf } from '#server/db/rows-of.ts'
import { type Days, marginOf, type Period, shiftDay } from './figures.ts'

const WEEK = 7
const MONTH = 30
const TOP = 20

const firstOf = (to: string, days: number) => shiftDay(to, 1 - days)
const whole = z.coerce.number()
const Active = z.object({ all: whole, week: whole, month: whole })

/** Distinct users in the days, and in the last week and month of them, which may begin earlier. */
export async function readActive(db: Db, { from, to }: Days) {
  const [earliest] = [firstOf(to, MONTH), from].sort()
  return oneRowOf(
    db,
    sql`
    select count(*) filter (where last >= ${from}::date) as all,
      count(*) filter (where last >= ${firstOf(to, WEEK)}::date) as week,
      count(*) filter (where last >= ${firstOf(to, MONTH)}::date) as month
    from (
      select max(day) as last from stat_active_days where day between ${earliest}::date and ${to}::date group by user_hash
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
    )
    select u.id, u.name, u.email, coalesce(usage.messages, 0) as messages, coalesce(usage.charged, 0)::float8 as charged,
      coalesce(sums.money, '[]') as money
    from top
    left join users u on stat_user_hash(u.id) = top.user_hash
    cross join lateral (
      select sum(messages) as messages, sum(charged) as charged
      from stat_active_days where user_hash = top.user_hash and ${inside}
    ) as usage
    cross join lateral (
      select json_agg(json_build_object('currency', currency, 'earned', earned, 'cost', cost) order by currency) as money
      from (
        select currency, sum(earned) as earned, sum(cost) as cost
        from stat_money_days where user_hash = top.user_hash and ${inside} group by currency
      ) as by_currency
    ) as sums
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
