import { randomBytes } from 'node:crypto'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { LlmMessage, LlmToolCall, LlmUsage } from './llm.ts'

export interface Turn extends Omit<LlmMessage, 'role' | 'toolCallId'> {
  role: 'user' | 'assistant'
  /** What functions returned, in one turn for all calls of the turn before. */
  results?: ToolResult[]
}

interface ToolResult {
  id: string
  name: string
  content: string
}

/** For APIs that take the instructions separately and require the first message to be the user's. */
export function splitTurns(messages: LlmMessage[]): { system: string; turns: Turn[] } {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const names = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)))
  const turns: Turn[] = []
  for (const { role, toolCallId: id = '', ...rest } of messages) {
    if (role === 'tool') {
      const result = { id, name: names.get(id) ?? '', content: rest.content }
      const before = turns.at(-1)
      if (before?.results) before.results.push(result)
      else turns.push({ role: 'user', content: '', results: [result] })
    } else if (role !== 'system' && !isEmpty(rest)) turns.push({ ...rest, role })
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: CUT })
  return { system: system.join('\n\n'), turns }
}

const isEmpty = ({ content, images, toolCalls }: Pick<LlmMessage, 'content' | 'images' | 'toolCalls'>) =>
  content.trim() === '' && !images?.length && !toolCalls?.length

/** The arguments of a call as an object, as some APIs have them; text that is no object is put into one. */
export function argumentsOf({ arguments: json }: Pick<LlmToolCall, 'arguments'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }
  } catch {
    return { value: json }
  }
}

export const newCallId = () => `call_${randomBytes(12).toString('hex')}`

/** Replaces the omitted messages when the first one left is an answer. */
const CUT = '[начало чата опущено]'

/** The usage of thoughts: those whose text was not sent, or only as a summary, are hidden. */
export function thoughtUsage(tokens: number, shownSymbols: number): Partial<LlmUsage> {
  if (tokens === 0) return {}
  const shown = Math.ceil(shownSymbols / SYMBOLS_PER_TOKEN)
  return { thoughtTokens: tokens, hiddenThoughtTokens: Math.max(0, tokens - shown) }
}
