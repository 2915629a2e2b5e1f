import { LlmError } from '#server/llm/errors.ts'
import type { Llm, LlmEnd, LlmMessage, OnText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { ModelRow } from '../models/models.ts'

export interface Speech {
  model: ModelRow
  /** Who answers when the model cannot. */
  fallback: ModelRow | null
  messages: LlmMessage[]
  maxTokens: number | undefined
  /** Who speaks in the model's place: one that draws says where its picture is. */
  say?: Llm
}

/** Lets the model speak, or the one that stands in for it if it fails before its first word. */
export async function speak(
  providers: Providers,
  { model, fallback, messages, maxTokens, say }: Speech,
  signal: AbortSignal,
  { onText, onFallback }: { onText: OnText; onFallback: (model: ModelRow) => Promise<void> },
): Promise<LlmEnd> {
  const ask = (asked: ModelRow, hear: OnText) =>
    (say ?? providers.llm(asked.provider))(
      { model: asked.providerModel, messages, ...(maxTokens ? { maxTokens } : {}) },
      signal,
      hear,
    )
  let spoke = false
  try {
    return await ask(model, (piece) => {
      spoke = true
      onText(piece)
    })
  } catch (error) {
    if (spoke || !fallback || signal.aborted || !canBeReplaced(error)) throw error
    await onFallback(fallback)
    signal.throwIfAborted()
    return ask(fallback, onText)
  }
}

/** Another model may do better, unless the question itself was refused. */
function canBeReplaced(error: unknown): boolean {
  return error instanceof LlmError && error.fault !== 'filter' && error.fault !== 'too_long'
}
