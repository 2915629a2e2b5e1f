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
  /** For whom: a model that fails one person again and again may still serve the others. */
  userId?: string | undefined
  /** Called with false when nothing is on its way to the provider: it refused, or has to be waited for; else with true. */
  onAsked?: (isAsked: boolean) => void
  /** No more than this many tokens of answer; symbols and tokens differ, so it is a fence, not a count. */
  maxTokens?: number
}

export interface LlmMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
  /** For models that see. */
  pictures?: LlmPicture[]
}

/** A picture that is read while it is sent, and again for another try: until then it is only a number of bytes. */
export interface LlmPicture {
  mime: string
  bytes: number
  read: () => AsyncIterable<Uint8Array>
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
