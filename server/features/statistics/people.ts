import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Sum, UserFigures } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { groupBy, marginOf } from './figures.ts'
import { type Days, type Period, shiftDay } from './period.ts'

const WEEK = 7
const MONTH = 30
const TOP = 20
/** Somebody who asked or spent; a row of money alone says nothing new of him. */
const acted = sql`currency = '' and (messages > 0 or charged > 0)`

const within = ({ from, to }: Days) => sql`bool_or(day between ${from}::date and ${to}::date)`
const lastDays = (to: string, days: number): Days => ({ from: shiftDay(to, 1 - days), to })
const whole = z.coerce.number()
const Active = z.object({ now: whole, before: whole, week: whole, weekBefore: whole, month: whole, monthBefore: whole })

/** Different people, each counted once in each span. */
export async function readActive(db: Db, { from, to, before }: Period) {
  const month = lastDays(before.to, MONTH)
  const [earliest] = [month.from, before.from].sort()
  const { rows } = (await db.execute(sql`
    select count(*) filter (where now) as now, count(*) filter (where before) as before,
      count(*) filter (where week) as week, count(*) filter (where week_before) as "weekBefore",
      count(*) filter (where month) as month, count(*) filter (where month_before) as "monthBefore"
    from (
      select ${within({ from, to })} as now, ${within(before)} as before,
        ${within(lastDays(to, WEEK))} as week, ${within(lastDays(before.to, WEEK))} as week_before,
        ${within(lastDays(to, MONTH))} as month, ${within(month)} as month_before
      from stat_user_days
      where ${acted} and day between ${earliest}::date and ${to}::date
      group by who
    ) as people`)) as unknown as { rows: unknown[] }
  return Active.parse(rows[0])
}

const ActiveDay = z.object({ day: z.string(), people: whole })

/** How many there were on each day, of both periods. */
export async function readActiveDays(db: Db, { to, before }: Period): Promise<Map<string, number>> {
  const { rows } = (await db.execute(sql`
    select day::text, count(*) as people from stat_user_days
    where ${acted} and day between ${before.from}::date and ${to}::date
    group by day`)) as unknown as { rows: unknown[] }
  return new Map(rows.map((row) => ActiveDay.parse(row)).map(({ day, people }) => [day, people]))
}

const Spender = z.object({
  who: z.string(),
  currency: z.string(),
  messages: whole,
  charged: whole,
  earned: whole,
  cost: whole,
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
})
type Spender = z.infer<typeof Spender>

/** Whose answers cost the owner most; where no cost is known, who spent most. */
export async function readTopUsers(db: Db, { from, to }: Period): Promise<UserFigures[]> {
  const { rows } = (await db.execute(sql`
    with top as (
      select who, row_number() over (order by sum(cost) desc, sum(charged) desc, who) as place
      from stat_user_days where day between ${from}::date and ${to}::date
      group by who having sum(cost) > 0 or sum(charged) > 0
      order by place limit ${TOP}
    )
    select d.who::text, d.currency, sum(d.messages)::float8 as messages, sum(d.charged)::float8 as charged,
      sum(d.earned)::float8 as earned, sum(d.cost)::float8 as cost, u.id, u.name, u.email
    from top
    join stat_user_days d on d.who = top.who and d.day between ${from}::date and ${to}::date
    left join users u on hashtextextended(u.id, 0) = d.who
    group by top.place, d.who, d.currency, u.id
    order by top.place, d.currency`)) as unknown as { rows: unknown[] }
  const spenders = rows.map((row) => Spender.parse(row))
  return [...groupBy(spenders, ({ who }) => who).values()].map(shown)
}

function shown(rows: Spender[]): UserFigures {
  const [{ id, name, email } = { id: null, name: null, email: null }] = rows
  const earned = sums(rows, 'earned')
  const cost = sums(rows, 'cost')
  return {
    user: id !== null && name !== null && email !== null ? { id, name, email } : null,
    messages: rows.reduce((all, { messages }) => all + messages, 0),
    charged: rows.reduce((all, { charged }) => all + charged, 0),
    earned,
    cost,
    margin: marginOf(earned, cost),
  }
}

function sums(rows: Spender[], of: 'earned' | 'cost'): Sum[] {
  return rows.filter((row) => row[of] !== 0).map((row) => ({ currency: row.currency, amount: row[of] }))
}
