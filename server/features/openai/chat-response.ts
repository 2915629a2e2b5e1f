import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Completion, Symbols, Usage } from '#contract/openai.ts'
import type { EndReason, LlmToolCall, LlmUsage, ToolDelta } from '#server/llm/llm.ts'

/** How a call ended, and what it cost. */
export interface ChatEnd {
  reason: EndReason
  usage: LlmUsage | null
  /** Symbols that the client sent and got. */
  sizes: { input: number; output: number; thought: number }
  symbols: Symbols
}

/** The whole answer, for clients that do not read a stream. */
export interface Collected {
  text: string
  thought: string
  calls: LlmToolCall[]
}

export interface AnswerHead {
  id: string
  created: number
  model: string
}

/** Adds parts of an answer to the whole. */
export function collect() {
  const answer: Collected = { text: '', thought: '', calls: [] }
  return {
    answer,
    onText: (text: string) => {
      answer.text += text
    },
    onThought: (text: string) => {
      answer.thought += text
    },
    onTool: ({ index, id = '', name = '', arguments: text }: ToolDelta) => {
      const call = answer.calls[index] ?? { id, name, arguments: '' }
      call.arguments += text
      answer.calls[index] = call
    },
  }
}

/** Tokens as the provider counted them, or estimated from symbols. */
export function usageOf({ usage, sizes, symbols }: Pick<ChatEnd, 'usage' | 'sizes' | 'symbols'>): Usage {
  const guess = (count: number) => Math.ceil(count / SYMBOLS_PER_TOKEN)
  const prompt_tokens = usage?.inputTokens ?? guess(sizes.input)
  const completion_tokens = usage?.outputTokens ?? guess(sizes.output + sizes.thought)
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: usage?.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage?.thoughtTokens ?? guess(sizes.thought) },
    symbols,
  }
}

export function completionOf(head: AnswerHead, { text, thought, calls }: Collected, end: ChatEnd): Completion {
  const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function' as const, function: call }))
  return {
    ...{ id: head.id, object: 'chat.completion', created: head.created, model: head.model },
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && tool_calls.length > 0 ? null : text,
          refusal: null,
          ...(thought !== '' && { reasoning_content: thought }),
          ...(tool_calls.length > 0 && { tool_calls }),
        },
        logprobs: null,
        finish_reason: end.reason,
      },
    ],
    usage: usageOf(end),
  }
}

export const DONE = 'data: [DONE]\n\n'

export const dataLine = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

/**
 * The chunks of a streamed answer. There are thousands of them, so the part that all share is written once; `usage` is
 * in every chunk when the client asks for it, as null until the last.
 */
export function chunksOf({ id, created, model }: AnswerHead, includeUsage: boolean) {
  const head = { id, object: 'chat.completion.chunk', created, model }
  const start = `data: ${JSON.stringify(head).slice(0, -1)},"choices":[{"index":0,"delta":`
  const end = `,"logprobs":null,"finish_reason":null}]${includeUsage ? ',"usage":null' : ''}}\n\n`
  const withText = `${start}{"content":`
  const withThought = `${start}{"reasoning_content":`
  return {
    first: `${start}{"role":"assistant","content":""}${end}`,
    text: (text: string) => `${withText}${JSON.stringify(text)}}${end}`,
    thought: (text: string) => `${withThought}${JSON.stringify(text)}}${end}`,
    tool: ({ index, id: callId, name, arguments: text }: ToolDelta) => {
      const call = {
        index,
        ...(callId !== undefined && { id: callId, type: 'function' }),
        function: { ...(name !== undefined && { name }), arguments: text },
      }
      return `${start}${JSON.stringify({ tool_calls: [call] })}${end}`
    },
    last: (result: ChatEnd) => {
      const choice = { index: 0, delta: {}, logprobs: null, finish_reason: result.reason }
      const closing = dataLine({ ...head, choices: [choice], ...(includeUsage && { usage: null }) })
      const usage = includeUsage ? dataLine({ ...head, choices: [], usage: usageOf(result) }) : ''
      return closing + usage + DONE
    },
  }
}
