import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { LlmMessage, LlmUsage } from './llm.ts'

export interface Turn extends Omit<LlmMessage, 'role'> {
  role: 'user' | 'assistant'
}

/** For APIs that take the instructions separately and require the first message to be the user's. */
export function splitTurns(messages: LlmMessage[]): { system: string; turns: Turn[] } {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const turns = messages.flatMap(({ role, ...rest }): Turn[] => {
    const isEmpty = rest.content.trim() === '' && !rest.images?.length
    return role === 'system' || isEmpty ? [] : [{ ...rest, role }]
  })
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: CUT })
  return { system: system.join('\n\n'), turns }
}

/** Replaces the omitted messages when the first one left is an answer. */
const CUT = '[начало чата опущено]'

/** The usage of thoughts: those whose text was not sent, or only as a summary, are hidden. */
export function thoughtUsage(tokens: number, shownSymbols: number): Partial<LlmUsage> {
  if (tokens === 0) return {}
  const shown = Math.ceil(shownSymbols / SYMBOLS_PER_TOKEN)
  return { thoughtTokens: tokens, hiddenThoughtTokens: Math.max(0, tokens - shown) }
}
