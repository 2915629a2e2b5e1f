import * as z from 'zod/mini'
import { GrantKind } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { RatingFigures } from './ratings.ts'
import { TransactionKind } from './transactions.ts'

/** A figure for the period, and for the same number of days before it. */
const Pair = z.object({ now: z.number(), before: z.number() })
export type Pair = z.infer<typeof Pair>

/** A share; null when the total is zero. */
const Share = z.object({ now: z.nullable(z.number()), before: z.nullable(z.number()) })
export type Share = z.infer<typeof Share>

/** In minor units, not rounded: one answer costs less than a kopeck. */
const Sum = z.object({ amount: z.number(), currency: z.string() })
export type Sum = z.infer<typeof Sum>
const SumPair = z.extend(Pair, { currency: z.string() })
export type SumPair = z.infer<typeof SumPair>

const Days = z.object({ from: z.iso.date(), to: z.iso.date() })

const Times = z.nullable(z.object({ p50: z.number(), p95: z.number() }))
export type Times = z.infer<typeof Times>

const ModelFigures = z.object({
  id: z.string(),
  /** Null for a deleted model. */
  name: z.nullable(z.string()),
  answers: z.int(),
  failed: z.int(),
  input: z.number(),
  output: z.number(),
  charged: z.number(),
  earned: z.array(Sum),
  cost: z.array(Sum),
  margin: z.array(Sum),
  firstToken: Times,
  total: Times,
  ratings: RatingFigures,
})
export type ModelFigures = z.infer<typeof ModelFigures>

const UserFigures = z.object({
  /** Null for a deleted user. */
  user: z.nullable(z.object({ id: z.string(), name: z.string(), email: z.string() })),
  messages: z.int(),
  charged: z.number(),
  earned: z.array(Sum),
  cost: z.array(Sum),
  margin: z.array(Sum),
})
export type UserFigures = z.infer<typeof UserFigures>

const DayFigures = z.object({
  day: z.iso.date(),
  active: z.int(),
  fresh: z.int(),
  messages: z.int(),
  answers: z.int(),
  failed: z.int(),
  charged: z.number(),
  paid: z.int(),
  unpaid: z.int(),
  subscribers: z.int(),
  revenue: z.array(Sum),
  refunds: z.array(Sum),
})
export type DayFigures = z.infer<typeof DayFigures>

export const Reconciliation = z.object({
  ok: z.boolean(),
  problems: z.array(z.object({ rule: z.string(), userId: z.string(), details: z.string() })),
})

export const Statistics = z.object({
  period: Days,
  before: Days,
  /** The day of the first question or payment; null on a new installation. */
  since: z.nullable(z.iso.date()),
  people: z.object({
    active: Pair,
    daily: Pair,
    weekly: Pair,
    monthly: Pair,
    fresh: Pair,
    converted: Pair,
    conversion: Share,
  }),
  work: z.object({ messages: Pair, answers: Pair, failed: Pair, charged: Pair }),
  money: z.object({
    revenue: z.array(SumPair),
    refunds: z.array(SumPair),
    arpu: z.array(SumPair),
    cost: z.array(SumPair),
    kinds: z.array(z.object({ kind: z.string(), orders: Pair, revenue: z.array(SumPair) })),
    paid: Pair,
    declined: Pair,
    abandoned: Pair,
  }),
  subscriptions: z.object({
    live: Pair,
    mrr: z.array(SumPair),
    started: Pair,
    renewals: Pair,
    canceled: Pair,
    ended: Pair,
    churn: Share,
  }),
  models: z.array(ModelFigures),
  users: z.array(UserFigures),
  /** Symbols credited and debited, by reason. */
  symbols: z.array(z.extend(Pair, { kind: knownOr(TransactionKind, 'other') })),
  owed: z.object({
    at: z.iso.datetime(),
    grants: z.array(
      z.object({ kind: knownOr(GrantKind, 'other'), people: z.int(), symbols: z.number(), worth: z.array(Sum) }),
    ),
  }),
  promo: z.object({ uses: Pair, orders: Pair, revenue: z.array(SumPair), discount: z.array(SumPair) }),
  failures: z.array(z.object({ modelId: z.string(), failure: z.string(), count: z.int() })),
  queue: z.object({
    waiting: z.int(),
    running: z.int(),
    failed: z.int(),
    /** When the oldest waiting one was due. */
    oldest: z.nullable(z.iso.datetime()),
  }),
  /** The result of the last reconciliation; null before the first. */
  ledger: z.nullable(z.object({ at: z.iso.datetime(), ok: z.boolean(), problems: z.int() })),
  /** Problems that the operator must fix, with instructions. */
  warnings: z.array(z.object({ name: z.string(), at: z.iso.datetime(), message: z.string() })),
  series: z.array(DayFigures),
})
export type Statistics = z.infer<typeof Statistics>

export const statisticsApi = {
  get: endpoint('GET', '/api/statistic', {
    effects: true,
    who: 'admin',
    summary: 'Статистика за дни с from по to и за столько же дней до них; без них — последние 30 дней',
    query: z.object({ from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) }),
    returns: Statistics,
  }),
  reconcile: endpoint('GET', '/api/statistic/reconcile', {
    effects: true,
    who: 'admin',
    summary: 'Сверка: сходится ли учёт до символа, и что именно не сходится',
    returns: Reconciliation,
  }),
}
