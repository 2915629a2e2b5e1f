import { LlmError } from './errors.ts'

const FAILURES = 5
const REST_MS = 30_000

type Ask<Args extends [request: unknown, signal: AbortSignal, ...rest: unknown[]], End> = (
  ...args: Args
) => Promise<End>

/** After several failures in a row a provider is left alone for a while: people learn at once instead of waiting. */
export function createBreaker<Args extends [request: unknown, signal: AbortSignal, ...rest: unknown[]], End>(
  ask: Ask<Args, End>,
  now: () => number = Date.now,
): Ask<Args, End> {
  let failures = 0
  let restUntil = 0

  return async (...args) => {
    if (now() < restUntil) throw new LlmError('down', 'resting after failures')
    try {
      const end = await ask(...args)
      failures = 0
      return end
    } catch (error) {
      if (error instanceof LlmError && error.isPassing && !args[1].aborted) {
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
