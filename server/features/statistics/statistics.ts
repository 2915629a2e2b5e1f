import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Pair, Statistics, SumPair } from '#contract/statistics.ts'
import type { TransactionKind } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { orders } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { readQueue } from '#server/jobs/jobs.ts'
import {
  type Days,
  type Figures,
  figuresOf,
  type Period,
  periodOf,
  readDays,
  readPayments,
  readSums,
  seriesOf,
  share,
  subtractMoney,
  subtractPairs,
} from './figures.ts'
import { errorsIn, modelFigures, modelNames } from './models.ts'
import { lastLedgerCheck, readOwed, readWarnings } from './notes.ts'
import { readActive, readTopUsers } from './people.ts'
import { sumOpenDays } from './sums.ts'

const ORDER_KINDS = ['plan', 'renewal', 'bundle']

export async function readStatistics({ db }: Pick<Ctx, 'db'>, query: Partial<Days>): Promise<Statistics> {
  const period = periodOf(query)
  const [payments] = await Promise.all([readPayments(db, period), sumOpenDays(db)])
  const [sums, active, activeBefore, days, since, models, users, owed, queue, ledger, warnings] = await Promise.all([
    readSums(db, period),
    readActive(db, period),
    readActive(db, period.before),
    readDays(db, period),
    firstDay(db),
    modelNames(db),
    readTopUsers(db, period),
    readOwed(db),
    readQueue(db),
    lastLedgerCheck(db),
    readWarnings(db),
  ])
  const figures = figuresOf(sums, payments.totals, period)
  const subscriptions = subscriptionsIn(figures)
  const people = peopleIn(figures, { now: active, before: activeBefore }, dailyAverage(figures, period))
  return {
    period: { from: period.from, to: period.to },
    before: period.before,
    since,
    people,
    work: {
      messages: figures.sum('messages'),
      answers: figures.sum('answers'),
      failed: figures.sum('failed'),
      charged: figures.sum('charged'),
    },
    money: moneyIn(figures, people.active),
    subscriptions,
    models: modelFigures(figures, models),
    users,
    symbols: figures.of('symbols').map(({ key, now, before }) => ({ kind: key as TransactionKind, now, before })),
    owed,
    promo: {
      uses: figures.sum('promo_uses'),
      orders: figures.sum('promo_orders'),
      revenue: figures.money('promo_revenue'),
      discount: figures.money('promo_discount'),
    },
    failures: errorsIn(figures),
    queue: { ...queue, oldest: queue.oldest?.toISOString() ?? null },
    ledger,
    warnings,
    series: seriesOf(period, [...days, ...payments.days], subscriptions.live.before),
  }
}

const FirstDay = z.object({ day: z.nullable(z.string()) })

/** Of the first question or payment: that somebody has an account is no data yet. */
async function firstDay(db: Db): Promise<string | null> {
  const { day } = await oneRowOf(
    db,
    sql`
    select least(
      (select min(day) from stat_days where metric in ('messages', 'answers', 'charged')),
      (select min(money_day(paid_at)) from ${orders})
    )::text as day`,
    FirstDay,
  )
  return day
}

function dailyAverage(figures: Figures, { days }: Period): Pair {
  const { now, before } = figures.sum('active')
  return { now: now / days, before: before / days }
}

type Active = Awaited<ReturnType<typeof readActive>>

function peopleIn(figures: Figures, active: { now: Active; before: Active }, daily: Pair): Statistics['people'] {
  const pair = (span: keyof Active): Pair => ({ now: active.now[span], before: active.before[span] })
  const newUsers = figures.sum('new_users')
  const converted = figures.sum('converted')
  return {
    active: pair('all'),
    daily,
    weekly: pair('week'),
    monthly: pair('month'),
    fresh: newUsers,
    converted,
    conversion: share(converted, newUsers),
  }
}

function moneyIn(figures: Figures, active: Pair): Statistics['money'] {
  const revenue = figures.money('revenue')
  const refunds = figures.money('refunds')
  const of = (status: string) => figures.sum('unpaid', ({ detail }) => detail === status)
  return {
    revenue,
    refunds,
    arpu: subtractMoney(revenue, refunds).map((left) => perHead(left, active)),
    cost: figures.money('cost'),
    kinds: ORDER_KINDS.map((kind) => ({
      kind,
      orders: figures.sum('paid', ({ key }) => key === kind),
      revenue: figures.money('revenue', ({ key }) => key === kind),
    })),
    paid: figures.sum('paid'),
    declined: of('failed'),
    abandoned: of('expired'),
  }
}

function perHead({ currency, now, before }: SumPair, active: Pair): SumPair {
  return {
    currency,
    now: active.now > 0 ? now / active.now : 0,
    before: active.before > 0 ? before / active.before : 0,
  }
}

/** Counted at the end of each period; the count at its start is that of the end of the period before. */
function subscriptionsIn(figures: Figures): Statistics['subscriptions'] {
  const live = subtractPairs(figures.sum('subscriptions_started_until'), figures.sum('subscriptions_ended_until'))
  const started = figures.sum('subscriptions_started')
  const ended = figures.sum('subscriptions_ended')
  return {
    live,
    mrr: subtractMoney(figures.money('mrr_started_until'), figures.money('mrr_ended_until')),
    started,
    renewals: figures.sum('paid', ({ key }) => key === 'renewal'),
    canceled: figures.sum('canceled'),
    ended,
    churn: share(ended, { now: live.before, before: live.before - started.before + ended.before }),
  }
}
