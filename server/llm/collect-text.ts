import type { Llm, LlmRequest } from './llm.ts'

/** The whole of a short answer. A model that has said enough is not listened to any longer. */
export async function collectText(llm: Llm, request: LlmRequest, signal: AbortSignal, enough: number): Promise<string> {
  const stop = new AbortController()
  let text = ''
  try {
    await llm(request, AbortSignal.any([signal, stop.signal]), (piece) => {
      text += piece
      if (text.length >= enough) stop.abort()
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  return text
}
