import type { LlmUsage } from '#server/llm/llm.ts'

/** A token of Russian or English text is about this many symbols; only guesses for the owner's report lean on it. */
const SYMBOLS_A_TOKEN = 3
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
