import type { Db } from '#server/db/client.ts'
import type { Log } from '#server/lib/log.ts'
import { forgetInstances, staleInstances } from './instance.ts'

/** One kind of work that stale instances may leave. */
export interface Recoverable {
  kind: 'answer' | 'image' | 'hold'
  /** Ends or takes over at most one batch and returns its size. Rows that fail are handled inside. */
  recover: () => Promise<number>
}

export interface RecoveryOptions {
  db: Db
  log: Log
  kinds: Recoverable[]
  onRecovered: (kind: Recoverable['kind'], count: number) => void
}

/** Every instance does it; the second one finds nothing. */
export function createRecovery({ db, log, kinds, onRecovered }: RecoveryOptions): () => Promise<number> {
  async function recoverAll(): Promise<number> {
    let handled = 0
    for (const { kind, recover } of kinds) {
      try {
        const count = await recover()
        if (count > 0) {
          log.info({ kind, count }, 'recovery: recovered work of dead instances')
          onRecovered(kind, count)
        }
        handled += count
      } catch (error) {
        log.error({ err: error, kind }, 'recovery: failed')
        handled = Number.NaN
      }
    }
    return handled
  }

  return async () => {
    const stale = await staleInstances(db)
    const handled = await recoverAll()
    // Instances are deleted only when nothing is left of them, so that failed work is tried again.
    if (handled === 0 && stale.length > 0) await forgetInstances(db, stale)
    return Number.isNaN(handled) ? 0 : handled
  }
}
