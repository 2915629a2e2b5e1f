import type { Llm, LlmRequest, OnText } from '#server/llm/llm.ts'
import type { Meter } from './meter.ts'

const MAX_MS = 180_000

interface Listener {
  /** The listener leaves: what was said until then counts. */
  signal?: AbortSignal
  /** Hears what is paid for, as it comes. */
  onText?: OnText
}

/** What a model said, as far as it is paid for. A failure is told, not thrown: the meter has to be settled first. */
export async function streamWithinHold(
  llm: Llm,
  request: LlmRequest,
  meter: Meter,
  { signal: left, onText }: Listener = {},
): Promise<{ text: string; failure: unknown; isEarlyStop: boolean }> {
  const enough = new AbortController()
  let text = ''
  let isAsked = true
  let covering = Promise.resolve()
  const hasEnough = () => enough.signal.aborted || left?.aborted === true
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_MS), enough.signal, ...(left ? [left] : [])])
  const cover = async (piece: string) => {
    if (hasEnough()) return
    const covered = await meter.cover(piece, signal)
    text += covered
    onText?.(covered)
    if (covered.length < piece.length) enough.abort()
  }
  let failure: unknown = null
  try {
    const onAsked = (now: boolean) => {
      if (!signal.aborted) isAsked = now
    }
    await llm({ ...request, onAsked }, signal, (piece) => {
      covering = covering.then(() => cover(piece))
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
