import { AppError } from '#server/lib/errors.ts'

interface BudgetLimits {
  processBytes: number
  callerBytes: number
}

interface TakenBytes {
  /** Throws 429 when the caller has too much in flight, 503 when all callers together do. */
  add: (bytes: number) => void
  release: () => void
}

const RETRY_AFTER_SECONDS = 10
const later = { retryAfterSeconds: RETRY_AFTER_SECONDS }

/** How many bytes of bodies are in memory at once, for the process and for each caller. */
export function createBodyBudget({ processBytes, callerBytes }: BudgetLimits) {
  const byCaller = new Map<string, number>()
  let total = 0
  return {
    open: (caller: string): TakenBytes => {
      let taken = 0
      const count = (bytes: number) => {
        taken += bytes
        total += bytes
        const left = (byCaller.get(caller) ?? 0) + bytes
        if (left > 0) byCaller.set(caller, left)
        else byCaller.delete(caller)
      }
      return {
        add: (bytes) => {
          if ((byCaller.get(caller) ?? 0) + bytes > callerBytes)
            throw new AppError('too_many_requests', 'Вы передаёте слишком много сразу. Дождитесь ответов.', later)
          if (total + bytes > processBytes)
            throw new AppError('unavailable', 'Сервер занят большими запросами. Повторите через 10 секунд.', later)
          count(bytes)
        },
        release: () => count(-taken),
      }
    },
  }
}
