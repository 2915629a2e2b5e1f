import { IMAGES_PRICED, SYMBOLS_A_TOKEN } from '#contract/models-admin.ts'
import type { LlmUsage } from '#server/llm/llm.ts'
import type { ModelRow } from './models.ts'

const MILLION = 1_000_000

type TokenPrices = Pick<ModelRow, 'costInput' | 'costOutput' | 'costCurrency'>

/** The owner's cost of an answer: by the provider's token count, else estimated from its symbols. */
export function costOfTokens(model: TokenPrices, usage: LlmUsage | null, sizes: { input: number; output: number }) {
  const inputTokens = usage?.inputTokens ?? Math.ceil(sizes.input / SYMBOLS_A_TOKEN)
  const outputTokens = usage?.outputTokens ?? Math.ceil(sizes.output / SYMBOLS_A_TOKEN)
  const { costInput, costOutput, costCurrency } = model
  const known = costInput !== null && costOutput !== null
  return {
    inputTokens,
    outputTokens,
    tokensGuessed: usage === null,
    cost: known ? (inputTokens * costInput + outputTokens * costOutput) / MILLION : null,
    costCurrency: known ? costCurrency : null,
  }
}

type UnitPrice = Pick<ModelRow, 'costOutput' | 'costCurrency'>

/** The owner's cost of pictures or minutes; null where the owner has set no price. */
export function costOfUnits({ costOutput, costCurrency }: UnitPrice, count: number) {
  return costOutput === null || costCurrency === null
    ? { cost: null, costCurrency: null }
    : { cost: (costOutput * count) / IMAGES_PRICED, costCurrency }
}
