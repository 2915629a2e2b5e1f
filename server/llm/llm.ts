/**
 * All the product asks of a language model: it speaks to `onText`, piece by piece, until it has finished or is told to
 * stop. Pushed and not pulled: a generator in each layer between would cost more than reading the wire.
 */
export type Llm = (request: LlmRequest, signal: AbortSignal, onText: OnText) => Promise<LlmEnd>
export type OnText = (piece: string) => void

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

/** How a model finished. */
export interface LlmEnd {
  reason: EndReason
  usage: LlmUsage | null
}

export type EndReason = 'stop' | 'length' | 'content_filter'

/** As the provider counted it; some never tell. */
export interface LlmUsage {
  inputTokens: number
  outputTokens: number
}
