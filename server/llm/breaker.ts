import { LlmError } from './errors.ts'

/** So many failures, of so many people, within this time: one person cannot switch a model off for everybody. */
const ERRORS = 3
const PEOPLE = 2
const WINDOW_MS = 60_000
const REST_MS = 30_000

interface Circuit {
  failures: { at: number; userId: string }[]
  /** Until then nobody gets through; null while the circuit is closed. */
  restUntil: number | null
}

/** A model that is being left alone. */
export interface OpenCircuit {
  provider: string
  model: string
  until: Date
}

interface Asked {
  model: string
  userId?: string | undefined
}

export interface Breakers {
  /** The call as it was, refused at once while its model rests. */
  guard: <Request extends Asked, Rest extends unknown[], End>(
    provider: string,
    ask: (request: Request, signal: AbortSignal, ...rest: Rest) => Promise<End>,
  ) => (request: Request, signal: AbortSignal, ...rest: Rest) => Promise<End>
  /** A model said its first word: a trial has succeeded, however long the rest takes. */
  spoke: (provider: string, model: string) => void
  state: () => OpenCircuit[]
}

/**
 * After failures of several people in a short time a model is left alone for a while: people learn at once instead of
 * waiting. Then one call is let through to try it. Other models of the same provider are not concerned; a wrong key or
 * an empty account counts nowhere, because such answers come at once and say more than «is resting» would.
 */
export function createBreakers(now: () => number = Date.now): Breakers {
  const circuits = new Map<string, Circuit>()
  const keyOf = (provider: string, model: string) => JSON.stringify([provider, model])

  /** Throws while the model rests; true for the one call that is let through to try it. */
  function enter(key: string): boolean {
    const circuit = circuits.get(key)
    if (!circuit || circuit.restUntil === null) return false
    const left = circuit.restUntil - now()
    if (left > 0) throw new LlmError('down', 'resting after failures', undefined, undefined, left)
    // When the trial takes longer than a rest, the next call is a trial too.
    circuit.restUntil = now() + REST_MS
    return true
  }

  function failed(key: string, userId: string, isTrial: boolean): void {
    const circuit = circuits.get(key) ?? { failures: [], restUntil: null }
    circuits.set(key, circuit)
    const at = now()
    // Calls that were under way when the rest began do not prolong it.
    if (circuit.restUntil !== null && !isTrial) return
    circuit.failures = [...circuit.failures.filter((failure) => failure.at > at - WINDOW_MS), { at, userId }]
    const people = new Set(circuit.failures.map((failure) => failure.userId))
    if (!isTrial && (circuit.failures.length < ERRORS || people.size < PEOPLE)) return
    circuit.restUntil = at + REST_MS
    circuit.failures = []
  }

  /** A trial that was called off has shown nothing: the next call tries again. */
  function callOff(key: string): void {
    const circuit = circuits.get(key)
    if (circuit?.restUntil) circuit.restUntil = now()
  }

  return {
    guard:
      (provider, ask) =>
      async (request, signal, ...rest) => {
        const key = keyOf(provider, request.model)
        const isTrial = enter(key)
        try {
          const end = await ask(request, signal, ...rest)
          circuits.delete(key)
          return end
        } catch (error) {
          if (signal.aborted || !(error instanceof LlmError)) {
            if (isTrial) callOff(key)
          } else if (error.isPassing) failed(key, request.userId ?? '', isTrial)
          else circuits.delete(key)
          throw error
        }
      },
    spoke: (provider, model) => {
      const circuit = circuits.get(keyOf(provider, model))
      if (circuit) circuit.restUntil = null
    },
    state: () =>
      [...circuits].flatMap(([key, { restUntil }]) => {
        if (restUntil === null || restUntil <= now()) return []
        const [provider, model] = JSON.parse(key) as [string, string]
        return [{ provider, model, until: new Date(restUntil) }]
      }),
  }
}
