import type { Db } from '#server/db/client.ts'
import type { Log } from '#server/lib/log.ts'
import { forgetInstances, type Instance, staleInstances } from './instance.ts'

/** Work of one kind that dead processes left. */
export interface Recoverable {
  kind: 'answer' | 'image' | 'hold'
  /** Ends it or takes it over, at most a batch of it; how much it was. Rows that fail are its own affair. */
  recover: () => Promise<number>
}

export interface RecoveryOptions {
  db: Db
  instance: Instance
  log: Log
  kinds: Recoverable[]
  onRecovered: (kind: Recoverable['kind'], count: number) => void
}

/** What no living process owns is also looked for without a death: a safety net. */
const FULL_EVERY = 30

/** One look: who died, and what they left. Run every second or two by each process; whoever comes second finds nothing. */
export function createRecovery({ db, instance, log, kinds, onRecovered }: RecoveryOptions): () => Promise<number> {
  let looks = 0

  async function recoverAll(): Promise<number> {
    let handled = 0
    for (const { kind, recover } of kinds) {
      try {
        const count = await recover()
        if (count > 0) {
          log.info({ kind, count }, 'recovered work of dead processes')
          onRecovered(kind, count)
        }
        handled += count
      } catch (error) {
        log.error({ err: error, kind }, 'work of dead processes could not be recovered')
        handled = Number.NaN
      }
    }
    return handled
  }

  return async () => {
    await instance.endStale()
    const dead = await staleInstances(db)
    const isFull = looks % FULL_EVERY === 0
    looks += 1
    if (dead.length === 0 && !isFull) return 0
    const handled = await recoverAll()
    // Forgotten only when nothing is left of them, so that what failed is looked for again.
    if (handled === 0 && dead.length > 0) await forgetInstances(db, dead)
    return Number.isNaN(handled) ? 0 : handled
  }
}
