import type { Log } from '#server/lib/log.ts'
import { StartError } from '#server/lib/start-error.ts'

/**
 * Shorter than Postgres' deadlock_timeout of a second: in a ring of locks the start gives way, never a person's write.
 * Whoever queues behind the start waits no longer than this.
 */
const LOCK_TIMEOUT_MS = 800
const GIVE_UP_MS = 600_000
const PAUSE_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

export const lockTimeout = `set local lock_timeout = ${LOCK_TIMEOUT_MS}`

/** Repeats `work`, a transaction that begins with `lockTimeout`, until it gets its locks. */
export async function retryForLocks<T>(
  what: string,
  work: () => Promise<T>,
  log?: Pick<Log, 'info'>,
  giveUpMs = GIVE_UP_MS,
): Promise<T> {
  const started = Date.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTrouble(error)) throw error
      if (Date.now() - started > giveUpMs) {
        throw new StartError(
          `Не удалось изменить базу (${what}) за ${Math.round(giveUpMs / 1000)} с: таблицы заняты долгой операцией, ` +
            'например pg_dump или забытой транзакцией. Дождитесь её конца или завершите её и запустите сервер снова.',
          { cause: error },
        )
      }
      log?.info({ what }, 'tables are busy, trying again')
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())))
    }
  }
}

function isLockTrouble(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && (cause.code === LOCK_NOT_AVAILABLE || cause.code === DEADLOCK)) return true
  }
  return false
}
