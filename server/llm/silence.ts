import { AppError } from '#server/lib/errors.ts'
import { LlmError, unreachable } from './errors.ts'
import { abortError } from './request.ts'

/** How long a model may send nothing. */
export interface ModelTimeouts {
  /** Until the first text or reasoning. */
  firstTokenMs: number
  /** Between two chunks of text or reasoning; comments and empty deltas do not count. */
  silenceMs: number
  /** All reasoning of one answer. */
  thinkingMs: number
}

export const usualTimeouts: ModelTimeouts = { firstTokenMs: 90_000, silenceMs: 60_000, thinkingMs: 600_000 }

interface Timer {
  refresh: () => void
  end: () => void
}

/** A timer that fires this late means that the process itself was frozen. */
const FROZEN_MS = 1000
/** Time to read what has arrived in the socket meanwhile. */
const CATCH_UP_MS = 2000

/** A timer that gives a process which was frozen time to read its socket before the action. */
function startTimer(ms: number, action: () => void): Timer {
  let due = performance.now() + ms
  let timer = setTimeout(ring, ms)
  let isUsual = true
  function ring() {
    const wait = performance.now() - due > FROZEN_MS ? CATCH_UP_MS : null
    if (wait === null) return action()
    isUsual = false
    due = performance.now() + wait
    timer = setTimeout(ring, wait)
  }
  return {
    refresh: () => {
      due = performance.now() + ms
      if (isUsual) return void timer.refresh()
      clearTimeout(timer)
      timer = setTimeout(ring, ms)
      isUsual = true
    },
    end: () => clearTimeout(timer),
  }
}

/** Aborts a request when the provider is silent for too long, and explains whether that or the caller ended it. */
export function watchSilence(outer: AbortSignal, { firstTokenMs, silenceMs, thinkingMs }: ModelTimeouts) {
  const own = new AbortController()
  const giveUpAfter = (ms: number) => startTimer(ms, () => own.abort())
  let timer = giveUpAfter(firstTokenMs)
  let isBroken = false
  let thinkingLeft = thinkingMs
  let thinking: { timer: Timer; since: number } | null = null

  function stopThinking(): void {
    if (!thinking) return
    thinking.timer.end()
    thinkingLeft -= performance.now() - thinking.since
    thinking = null
  }

  return {
    signal: AbortSignal.any([outer, own.signal]),
    broken: (sign: 'text' | 'thought') => {
      if (sign === 'text') stopThinking()
      else thinking ??= { timer: giveUpAfter(Math.max(0, thinkingLeft)), since: performance.now() }
      if (isBroken) {
        timer.refresh()
        return
      }
      isBroken = true
      timer.end()
      timer = giveUpAfter(silenceMs)
    },
    explain: (error: unknown): unknown => {
      if (error instanceof LlmError || error instanceof AppError) return error
      if (outer.aborted) return abortError(outer)
      if (own.signal.aborted) return new LlmError('timeout', { reason: 'silent' })
      return unreachable(error)
    },
    hangUp: () => own.abort(),
    end: () => {
      timer.end()
      stopThinking()
    },
  }
}
