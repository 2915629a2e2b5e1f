import { AppError } from '#server/lib/errors.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { EndReason, LlmUsage } from '#server/llm/llm.ts'
import type { DeliveredKind, MeterEnd } from '../billing/meter.ts'

/** How an answer for a program ended, before it is charged. */
export interface ChatRun {
  reason: EndReason
  usage: LlmUsage | null
  /** Symbols that the client was sent, or gets with the whole answer. */
  sent: Record<DeliveredKind, number>
  /** Symbols of thought that were counted and not shown. */
  hiddenThought: number
  hasRunOut: boolean
  /** The request was at a provider that had not rejected it. */
  isInFlight: boolean
  failure: { error: unknown } | null
}

interface Circumstances {
  /** The client left before the end. */
  hasLeft: boolean
  /** The client gets the answer in one piece: until its end nothing is delivered. */
  isWhole: boolean
  /** The caller named stop words, so an empty answer may be one that they cut. */
  hasStops: boolean
  thoughtRate: number
}

const NOTHING = { output: 0, thought: 0 }

/** The key was ended, or its owner banned, while the call was running. */
export const isKeyEnded = (error: unknown): boolean => error instanceof AppError && error.code === 'unauthorized'

/** A filter that ends an answer which had begun is an end and not a failure: what was sent is paid for. */
export function endedByFilter(run: ChatRun): ChatRun {
  const { failure, sent } = run
  const isFiltered = failure?.error instanceof LlmError && failure.error.kind === 'filter'
  return isFiltered && sent.output + sent.thought > 0 ? { ...run, reason: 'content_filter', failure: null } : run
}

/**
 * Money follows what was delivered: input, output and thought. A failure is free, and so is a model that gave nothing by
 * itself. What the caller cut to nothing, by stop words, a length or leaving, is an early stop as in a chat.
 */
export function chargeOf(run: ChatRun, { hasLeft, isWhole, hasStops, thoughtRate }: Circumstances): MeterEnd {
  const { failure, sent, hiddenThought, reason, hasRunOut, isInFlight } = run
  const hasKeyEnded = isKeyEnded(failure?.error)
  if (failure && !hasKeyEnded) return { delivered: NOTHING }
  const delivered = { ...sent, thought: sent.thought + hiddenThought }
  if (hasLeft || hasKeyEnded) {
    if (isWhole) return { delivered: NOTHING, withoutOutput: isInFlight ? 'stop' : 'free' }
    const paysThought = sent.thought > 0 && thoughtRate > 0
    return { delivered, withoutOutput: paysThought ? 'charged' : isInFlight ? 'stop' : 'free' }
  }
  const isCut = reason === 'length' || (reason === 'stop' && hasStops)
  if (hasRunOut || sent.thought > 0 || (isCut && hiddenThought > 0)) return { delivered, withoutOutput: 'charged' }
  return { delivered, withoutOutput: isCut ? 'stop' : 'free' }
}
