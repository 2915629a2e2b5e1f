import type { Llm, LlmRequest, OnText } from '#server/llm/llm.ts'
import type { Meter } from './meter.ts'

const MAX_MS = 180_000

interface Reader {
  /** The reader leaves: the text delivered until then is charged. */
  signal?: AbortSignal
  /** Receives the paid text as it comes. */
  onText?: OnText
}

/** Streams a model's text as far as it is paid for. A failure is returned, because the meter must be settled first. */
export async function streamWithinHold(
  llm: Llm,
  request: LlmRequest,
  meter: Meter,
  { signal: left, onText }: Reader = {},
): Promise<{ text: string; failure: unknown; isEarlyStop: boolean }> {
  const enough = new AbortController()
  let text = ''
  let isAsked = true
  let covering = Promise.resolve()
  const hasEnough = () => enough.signal.aborted || left?.aborted === true
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_MS), enough.signal, ...(left ? [left] : [])])
  const cover = async (chunk: string) => {
    if (hasEnough()) return
    const covered = await meter.cover(chunk, signal)
    text += covered
    onText?.(covered)
    if (covered.length < chunk.length) enough.abort()
  }
  let failure: unknown = null
  try {
    const onAsked = (now: boolean) => {
      if (!signal.aborted) isAsked = now
    }
    await llm({ ...request, onAsked }, signal, (chunk) => {
      covering = covering.then(() => cover(chunk))
    })
  } catch (error) {
    failure = error
  }
  await covering.catch((error: unknown) => {
    failure = error
  })
  const isEarlyStop = left?.aborted === true && text === '' && isAsked
  return { text, failure: hasEnough() ? null : failure, isEarlyStop }
}
