import { LlmError } from '#server/llm/errors.ts'
import type { Llm, LlmEnd, LlmMessage, OnText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { ModelRow } from '../models/models.ts'

export interface Speech {
  model: ModelRow
  /** Who answers when the model cannot. */
  fallback: ModelRow | null
  /** Emptied as soon as no other try can need it: an answer may take minutes, and its prompt may be large. */
  messages: LlmMessage[]
  maxTokens: number | undefined
  /** For whom. */
  userId?: string | undefined
  /** Who speaks in the model's place: one that draws says where its picture is. */
  say?: Llm
}

interface Listener {
  onText: OnText
  /** Is waited for: the fallback is asked when it is known that it may answer. */
  onFallback: (model: ModelRow) => void | Promise<void>
  /** Whether a request is with a provider that has not refused it. */
  onAsked?: (isAsked: boolean) => void
}

/** Lets the model speak, or the one that stands in for it if it fails before its first word. */
export async function speak(
  providers: Providers,
  { model, fallback, messages, maxTokens, userId, say }: Speech,
  signal: AbortSignal,
  { onText, onFallback, onAsked = () => {} }: Listener,
): Promise<LlmEnd> {
  let spoke = false
  const drop = () => {
    messages.length = 0
  }
  const receive: OnText = (piece) => {
    if (!spoke) drop()
    spoke = true
    onText(piece)
  }
  const ask = async (asked: ModelRow) => {
    const request = { model: asked.providerModel, messages, userId, onAsked, ...(maxTokens ? { maxTokens } : {}) }
    onAsked(true)
    try {
      return await (say ?? providers.llm(asked.provider))(request, signal, receive)
    } catch (error) {
      if (!signal.aborted) onAsked(false)
      throw error
    }
  }
  try {
    return await ask(model)
  } catch (error) {
    if (spoke || !fallback || signal.aborted || !canBeReplaced(error)) throw error
    await onFallback(fallback)
    signal.throwIfAborted()
    return await ask(fallback)
  } finally {
    drop()
  }
}

/** Another model may do better, unless the question itself was refused. */
function canBeReplaced(error: unknown): boolean {
  return error instanceof LlmError && error.kind !== 'filter' && error.kind !== 'too_long'
}
