import { type Money, price } from '#contract/billing.ts'
import type { AdminModel } from '#contract/models.ts'
import { SYMBOLS_PER_TOKEN, UNITS_PER_COST } from '#contract/models-admin.ts'
import type { Plan } from '#contract/plans.ts'

/** What a thousand symbols earn and cost: an estimate shown while the owner types. No charge uses it. */

const SYMBOLS_PER_LINE = 1000
const MILLION = 1_000_000

type PricedModel = Pick<
  AdminModel,
  | 'kind'
  | 'inputRate'
  | 'outputRate'
  | 'thoughtRate'
  | 'cachedRate'
  | 'thinks'
  | 'imagePrice'
  | 'minutePrice'
  | 'pagePrice'
  | 'costInput'
  | 'costOutput'
  | 'costCached'
  | 'costCurrency'
>

export interface PriceLine {
  /** The unit: symbols of a question, an answer or a thought, an image, a minute. */
  what: 'input' | 'output' | 'thought' | 'cached' | 'image' | 'minute' | 'page'
  /** Taken from the user's balance. */
  symbols: number
  /** Revenue for these symbols on the plan; null without a plan. */
  revenue: Money | null
  /** The provider's price; null if unknown. */
  cost: Money | null
  /** In the plan's currency; null if the cost is in another one and no rate is given. */
  margin: { money: Money; share: number | null } | null
}

interface Sale {
  /** The default plan, which gives a symbol its price. */
  plan: Pick<Plan, 'price' | 'symbols' | 'currency'> | null
  /** Exchange rate from the cost's currency to the plan's; null if not given. */
  rate: number | null
}

export function previewPrice(model: PricedModel, sale: Sale): PriceLine[] {
  if (model.kind === 'image') return perUnit('image', model.imagePrice, model, sale)
  if (model.kind === 'transcription') return perUnit('minute', model.minutePrice, model, sale)
  if (model.kind === 'scan') return pageLine(model, sale)
  const input = line('input', price(SYMBOLS_PER_LINE, 0, model), costOf(model.costInput, model.costCurrency), sale)
  if (model.kind === 'embedding') return [input]
  const output = line('output', price(0, SYMBOLS_PER_LINE, model), costOf(model.costOutput, model.costCurrency), sale)
  return [output, ...(hasThought(model) ? [thoughtLine(model, sale)] : []), input, ...cachedLine(model, sale)]
}

/** Thoughts without a price cost the owner all the same. */
const hasThought = ({ thinks, thoughtRate }: PricedModel) => thinks || thoughtRate > 0

/** The provider bills thoughts like the answer. */
function thoughtLine(model: PricedModel, sale: Sale): PriceLine {
  const symbols = price(0, 0, model, { thought: SYMBOLS_PER_LINE })
  return line('thought', symbols, costOf(model.costOutput, model.costCurrency), sale)
}

function cachedLine(model: PricedModel, sale: Sale): PriceLine[] {
  const { cachedRate, costCached, costInput, costCurrency } = model
  if (cachedRate === null && costCached === null) return []
  const symbols = price(SYMBOLS_PER_LINE, 0, model, { cached: SYMBOLS_PER_LINE })
  return [line('cached', symbols, costOf(costCached ?? costInput, costCurrency), sale)]
}

function perUnit(what: 'image' | 'minute', symbols: number | null, model: PricedModel, sale: Sale): PriceLine[] {
  if (symbols === null) return []
  const { costOutput, costCurrency } = model
  const cost =
    costOutput === null || costCurrency === null
      ? null
      : { amount: costOutput / UNITS_PER_COST, currency: costCurrency }
  return [line(what, symbols, cost, sale)]
}

/** What a usual page is: its picture and the prompt, and the text on it. */
const PAGE_TOKENS = { input: 2500, output: 1000 }

function pageLine(model: PricedModel, sale: Sale): PriceLine[] {
  const { pagePrice, costInput, costOutput, costCurrency: currency } = model
  if (!pagePrice) return []
  const isKnown = costInput !== null && costOutput !== null && currency !== null
  const amount = isKnown ? (PAGE_TOKENS.input * costInput + PAGE_TOKENS.output * costOutput) / MILLION : 0
  return [line('page', pagePrice, isKnown ? { amount, currency } : null, sale)]
}

export function needsRate({ costCurrency, costInput, costOutput }: PricedModel, plan: Sale['plan']): boolean {
  return plan !== null && costCurrency !== null && costCurrency !== plan.currency && (costInput ?? costOutput) !== null
}

function costOf(perMillion: number | null, currency: string | null): Money | null {
  if (perMillion === null || currency === null) return null
  return { amount: (Math.ceil(SYMBOLS_PER_LINE / SYMBOLS_PER_TOKEN) * perMillion) / MILLION, currency }
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
