import { SYMBOLS_A_TOKEN } from '#contract/models-admin.ts'
import type { LlmUsage } from '#server/llm/llm.ts'

const MILLION = 1_000_000

interface Priced {
  costInput: number | null
  costOutput: number | null
  costCurrency: string | null
}

/** What an answer cost the owner: by the provider's count, or by a guess where it gave none. */
export function costOf(model: Priced, usage: LlmUsage | null, sizes: { input: number; output: number }) {
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
