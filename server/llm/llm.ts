/**
 * A language model: calls `onText` with each chunk until it finishes or the signal aborts. A callback and not an async
 * generator, because generators in several layers cost more than reading the socket.
 */
export type Llm = (request: LlmRequest, signal: AbortSignal, onText: OnText) => Promise<LlmEnd>
export type OnText = (text: string) => void

export interface LlmRequest {
  /** The provider's name of the model. */
  model: string
  messages: LlmMessage[]
  /** The circuit breaker counts failures by user. */
  userId?: string | undefined
  /** Called with true when a request is at the provider, with false when it was rejected or waits for a retry. */
  onAsked?: (isAsked: boolean) => void
  /** An upper limit in tokens; symbols and tokens differ, so it is not exact. */
  maxTokens?: number
}

export interface LlmMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
  pictures?: LlmPicture[]
}

/** A picture whose bytes are read only while the request is sent, again for each retry. */
export interface LlmPicture {
  mime: string
  bytes: number
  read: () => AsyncIterable<Uint8Array>
}

export interface LlmEnd {
  reason: EndReason
  usage: LlmUsage | null
}

export type EndReason = 'stop' | 'length' | 'content_filter'

/** The provider's token count; some send none. */
export interface LlmUsage {
  inputTokens: number
  outputTokens: number
}

/** Collects a short answer; stops the model when the text is long enough. */
export async function collectText(llm: Llm, request: LlmRequest, signal: AbortSignal, enough: number): Promise<string> {
  const stop = new AbortController()
  let text = ''
  try {
    await llm(request, AbortSignal.any([signal, stop.signal]), (chunk) => {
      text += chunk
      if (text.length >= enough) stop.abort()
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  return text
}
