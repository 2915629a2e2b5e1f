import { LlmError } from './errors.ts'
import type { Llm } from './llm.ts'

const FAILURES = 5
const REST_MS = 30_000

/** After several failures in a row a provider is left alone for a while: people learn at once instead of waiting. */
export function createBreaker(llm: Llm, now: () => number = Date.now): Llm {
  let failures = 0
  let restUntil = 0

  return async (request, signal, onText) => {
    if (now() < restUntil) throw new LlmError('down', 'resting after failures')
    try {
      const end = await llm(request, signal, onText)
      failures = 0
      return end
    } catch (error) {
      if (error instanceof LlmError && error.isPassing && !signal.aborted) {
        failures += 1
        if (failures >= FAILURES) {
          restUntil = now() + REST_MS
          failures = 0
        }
      }
      throw error
    }
  }
}
