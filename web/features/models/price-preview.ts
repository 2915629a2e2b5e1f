import { type Money, price } from '#contract/billing.ts'
import type { AdminModel } from '#contract/models.ts'
import { IMAGES_PRICED, SYMBOLS_A_TOKEN } from '#contract/models-admin.ts'
import type { Plan } from '#contract/plans.ts'

/** What a thousand symbols bring and cost: a guess for the owner, made while he types. Nobody is charged by it. */

const PIECE = 1000
const MILLION = 1_000_000

type Priced = Pick<
  AdminModel,
  'kind' | 'inputRate' | 'outputRate' | 'imagePrice' | 'minutePrice' | 'costInput' | 'costOutput' | 'costCurrency'
>

export interface PriceLine {
  /** What is bought: symbols of a question or an answer, a picture, a minute. */
  what: 'input' | 'output' | 'image' | 'minute'
  /** Taken from the user's balance. */
  symbols: number
  /** What these symbols bring on the plan; null without one. */
  revenue: Money | null
  /** What the provider takes; null where that is not known. */
  cost: Money | null
  /** In the plan's currency; null when the cost is in another and there is no rate. */
  margin: { money: Money; share: number | null } | null
}

interface Sale {
  /** Whose price a symbol has: the default plan's. */
  plan: Pick<Plan, 'price' | 'symbols' | 'currency'> | null
  /** One of the cost's currency in the plan's; null when not given. */
  rate: number | null
}

export function previewPrice(model: Priced, sale: Sale): PriceLine[] {
  if (model.kind === 'image') return piece('image', model.imagePrice, model, sale)
  if (model.kind === 'transcription') return piece('minute', model.minutePrice, model, sale)
  const input = line('input', price(PIECE, 0, model), costOf(model.costInput, model.costCurrency), sale)
  if (model.kind === 'embedding') return [input]
  return [line('output', price(0, PIECE, model), costOf(model.costOutput, model.costCurrency), sale), input]
}

/** One picture, or one minute. */
function piece(what: 'image' | 'minute', symbols: number | null, model: Priced, sale: Sale): PriceLine[] {
  if (symbols === null) return []
  const { costOutput, costCurrency } = model
  const cost =
    costOutput === null || costCurrency === null ? null : { amount: costOutput / IMAGES_PRICED, currency: costCurrency }
  return [line(what, symbols, cost, sale)]
}

/** Whether the margin waits for a rate of exchange. */
export function needsRate({ costCurrency, costInput, costOutput }: Priced, plan: Sale['plan']): boolean {
  return plan !== null && costCurrency !== null && costCurrency !== plan.currency && (costInput ?? costOutput) !== null
}

function costOf(perMillion: number | null, currency: string | null): Money | null {
  if (perMillion === null || currency === null) return null
  return { amount: (Math.ceil(PIECE / SYMBOLS_A_TOKEN) * perMillion) / MILLION, currency }
}

function line(what: PriceLine['what'], symbols: number, cost: Money | null, { plan, rate }: Sale): PriceLine {
  const revenue = plan && { amount: (symbols * plan.price) / plan.symbols, currency: plan.currency }
  return { what, symbols, revenue, cost, margin: marginOf(revenue, cost, rate) }
}

function marginOf(revenue: Money | null, cost: Money | null, rate: number | null): PriceLine['margin'] {
  if (!revenue || !cost) return null
  const exchange = cost.currency === revenue.currency ? 1 : rate
  if (exchange === null || !(exchange > 0)) return null
  const amount = revenue.amount - cost.amount * exchange
  const share = revenue.amount === 0 ? null : amount / revenue.amount
  return { money: { amount, currency: revenue.currency }, share }
}
