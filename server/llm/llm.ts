/** All the product asks of a language model: text, in pieces, until told to stop. */
export type Llm = (request: LlmRequest, signal: AbortSignal) => AsyncIterable<LlmEvent>

export interface LlmRequest {
  /** The provider's own name of the model. */
  model: string
  messages: LlmMessage[]
  /** No more than this many tokens of answer; symbols and tokens differ, so it is a fence, not a count. */
  maxTokens?: number
}

export interface LlmMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
  /** Addresses of pictures, mostly `data:`, for models that see. */
  pictures?: string[]
}

export type LlmEvent = { type: 'text'; text: string } | { type: 'end'; reason: EndReason; usage: LlmUsage | null }

export type EndReason = 'stop' | 'length' | 'content_filter'

/** As the provider counted it; some never tell. */
export interface LlmUsage {
  inputTokens: number
  outputTokens: number
}
