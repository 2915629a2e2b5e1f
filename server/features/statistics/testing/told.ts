import type { Statistics, Sum } from '#contract/statistics.ts'
import { tally } from './slow-statistics.ts'

/** What the call says of its period, in the shape of the slow count. */
export function told({ people, work, money, subscriptions, promo, models, symbols }: Statistics) {
  const byCurrency = (sums: { currency: string; now: number }[]) =>
    tally(
      sums,
      ({ currency }) => currency,
      ({ now }) => now,
    )
  const byModel = (of: (model: Statistics['models'][number]) => number) => tally(models, ({ id }) => id, of)
  const moneyOf = (of: (model: Statistics['models'][number]) => Sum[]) =>
    tally(
      models.flatMap((model) => of(model).map(({ currency, amount }) => ({ key: `${model.id} ${currency}`, amount }))),
      ({ key }) => key,
      ({ amount }) => amount,
    )
  return {
    fresh: people.fresh.now,
    converted: people.converted.now,
    active: people.active.now,
    messages: work.messages.now,
    answers: work.answers.now,
    failed: work.failed.now,
    charged: work.charged.now,
    chargedBy: byModel(({ charged }) => charged),
    inputBy: byModel(({ input }) => input),
    outputBy: byModel(({ output }) => output),
    costBy: moneyOf(({ cost }) => cost),
    earnedBy: moneyOf(({ earned }) => earned),
    symbols: tally(
      symbols,
      ({ kind }) => kind,
      ({ now }) => now,
    ),
    revenue: byCurrency(money.revenue),
    refunds: byCurrency(money.refunds),
    paid: money.paid.now,
    renewals: subscriptions.renewals.now,
    declined: money.declined.now,
    abandoned: money.abandoned.now,
    promoUses: promo.uses.now,
    promoOrders: promo.orders.now,
    promoDiscount: byCurrency(promo.discount),
    canceled: subscriptions.canceled.now,
    started: subscriptions.started.now,
    ended: subscriptions.ended.now,
    live: subscriptions.live.now,
    mrr: byCurrency(subscriptions.mrr),
  }
}
