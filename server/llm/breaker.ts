import { LlmError, type LlmErrorReason } from './errors.ts'
import type { LlmRequest } from './llm.ts'

/**
 * A circuit opens after ERRORS failures of at least USERS users. They may have provoked them together, so the next
 * other person still asks the model, and only that failure too closes it for everybody.
 */
const ERRORS = 3
const USERS = 2
const WINDOW_MS = 60_000
const REST_MS = 30_000

interface Circuit {
  failures: { at: number; userId: string }[]
  /** Calls are rejected until then; null while the circuit is closed. */
  restUntil: number | null
  /** Whose failures opened it, until somebody else has tried. */
  suspects: Set<string> | null
}

/** A model whose calls are rejected for now. */
export interface OpenCircuit {
  provider: string
  model: string
  until: Date
}

type ModelRequest = Pick<LlmRequest, 'model' | 'userId' | 'tools' | 'toolChoice' | 'format' | 'stop' | 'sampling'>

/** An answer that a prompt can bring about. */
const provoked = new Set<LlmErrorReason | undefined>(['without-image', 'too-large', 'answer-without-end'])

/** What follows from the request's own content says nothing about the model: odd schemas and values end in a 500. */
function isItsOwn({ failure, reason }: LlmError, { tools, toolChoice, format, stop, sampling }: ModelRequest): boolean {
  if (provoked.has(reason)) return true
  const { status = 0 } = failure
  return status >= 500 && [tools, toolChoice, format, stop, sampling].some((value) => value !== undefined)
}

export interface Breakers {
  /** Wraps a call so that it is rejected at once while the circuit of its model is open. */
  guard: <Request extends ModelRequest, Rest extends unknown[], End>(
    provider: string,
    ask: (request: Request, signal: AbortSignal, ...rest: Rest) => Promise<End>,
  ) => (request: Request, signal: AbortSignal, ...rest: Rest) => Promise<End>
  /** A model sent its first text: a trial call has succeeded, however long the answer takes. */
  noteText: (provider: string, model: string) => void
  state: () => OpenCircuit[]
}

/**
 * A circuit breaker per model: after failures of several users calls fail at once, and single trial calls are let
 * through. A wrong key or an empty account does not count: such errors arrive at once and are more exact.
 */
export function createBreakers(now: () => number = Date.now): Breakers {
  const circuits = new Map<string, Circuit>()
  const keyOf = (provider: string, model: string) => JSON.stringify([provider, model])

  /** Throws while the circuit is open; true for the trial call. */
  function enter(key: string, userId: string): boolean {
    const circuit = circuits.get(key)
    if (!circuit || circuit.restUntil === null) return false
    const left = circuit.restUntil - now()
    const isFirstOther = circuit.suspects !== null && !circuit.suspects.has(userId)
    if (left > 0 && !isFirstOther) throw new LlmError('down', { reason: 'resting', retryAfterMs: left })
    // If the trial takes longer than this, the next call becomes a trial too.
    circuit.restUntil = now() + REST_MS
    circuit.suspects = null
    return true
  }

  function failed(key: string, userId: string, isTrial: boolean): void {
    const circuit = circuits.get(key) ?? { failures: [], restUntil: null, suspects: null }
    circuits.set(key, circuit)
    const at = now()
    // Calls that were in flight when the circuit opened do not prolong it.
    if (circuit.restUntil !== null && !isTrial) return
    circuit.failures = [...circuit.failures.filter((failure) => failure.at > at - WINDOW_MS), { at, userId }]
    const users = new Set(circuit.failures.map((failure) => failure.userId))
    if (!isTrial && (circuit.failures.length < ERRORS || users.size < USERS)) return
    circuit.restUntil = at + REST_MS
    circuit.suspects = isTrial ? null : users
    circuit.failures = []
  }

  /** An aborted trial proves nothing: the next call becomes the trial. */
  function cancelTrial(key: string): void {
    const circuit = circuits.get(key)
    if (circuit?.restUntil) circuit.restUntil = now()
  }

  return {
    guard:
      (provider, ask) =>
      async (request, signal, ...rest) => {
        const key = keyOf(provider, request.model)
        const userId = request.userId ?? ''
        const isTrial = enter(key, userId)
        try {
          const end = await ask(request, signal, ...rest)
          circuits.delete(key)
          return end
        } catch (error) {
          if (signal.aborted || !(error instanceof LlmError) || (error.isTemporary && isItsOwn(error, request))) {
            if (isTrial) cancelTrial(key)
          } else if (error.isTemporary) failed(key, userId, isTrial)
          else circuits.delete(key)
          throw error
        }
      },
    noteText: (provider, model) => {
      const circuit = circuits.get(keyOf(provider, model))
      if (circuit) Object.assign(circuit, { restUntil: null, suspects: null })
    },
    state: () =>
      [...circuits].flatMap(([key, { restUntil }]) => {
        if (restUntil === null || restUntil <= now()) return []
        const [provider, model] = JSON.parse(key) as [string, string]
        return [{ provider, model, until: new Date(restUntil) }]
      }),
  }
}
