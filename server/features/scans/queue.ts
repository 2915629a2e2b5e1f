import { and, asc, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import { scans } from '#server/db/schema.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import { createRunner } from '#server/instances/runner.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import type { ScanDeps } from './deps.ts'
import { OwnershipLost, type ScanRow } from './pages.ts'
import { readScan, SERVER_STOPS } from './work.ts'

/** Several instances share one queue in the database. */
export interface ScanQueue {
  /** Claims queued scans while there is capacity. */
  wake: () => void
  /** Aborts the work on a scan that was stopped. */
  cancel: (fileId: string) => void
  idle: () => Promise<void>
  close: () => Promise<void>
}

const MAX_CONCURRENT = 2

export function createScanQueue(deps: ScanDeps): ScanQueue {
  const { db, log, instance } = deps
  const runner = createRunner({
    limit: MAX_CONCURRENT,
    onError: (error, id) => log.error({ err: error, fileId: id }, 'scan queue: job failed'),
    stillOwned: async (ids) => {
      const rows = await db
        .select({ id: scans.fileId })
        .from(scans)
        .where(and(inArray(scans.fileId, ids), eq(scans.instance, instance.id), isWorking))
      return rows.map(({ id }) => id)
    },
    lost: new OwnershipLost(),
  })
  let isClosed = false
  let claiming = Promise.resolve()

  async function claimWaiting(): Promise<void> {
    while (!isClosed && runner.hasCapacity()) {
      const row = await claim(deps, runner.ids())
      if (!row) return
      void runner.run(row.fileId, (signal) => readScan(deps, row, signal)).then(wake)
    }
  }

  function wake(): void {
    claiming = claiming
      .then(claimWaiting)
      .catch((error: unknown) => log.error({ err: error }, 'scan queue: claim failed'))
  }

  return {
    wake,
    cancel: (id) => runner.abort(id, new OwnershipLost()),
    idle: async () => {
      await claiming
      while (runner.size() > 0) {
        await runner.idle()
        await claiming
      }
    },
    close: async () => {
      isClosed = true
      await claiming
      await runner.close(0, SERVER_STOPS)
    },
  }
}

const isWorking = eq(scans.state, 'working')

export const scanSweep = (queue: ScanQueue): Sweep => ({
  name: 'look-for-scans',
  everyMs: 5000,
  waits: sql`exists (select from ${scans} where ${scans.state} in ('queued', 'working'))`,
  run: async () => {
    queue.wake()
    return 0
  },
})

/**
 * Claims the scan of the user with the fewest running ones that has waited longest: a queued one, a stale one, or one
 * that this instance claimed before without knowing it, because the connection broke.
 */
async function claim({ db, instance }: ScanDeps, running: string[]): Promise<ScanRow | null> {
  const isUnacknowledged = and(
    isWorking,
    eq(scans.instance, instance.id),
    running.length > 0 ? notInArray(scans.fileId, running) : undefined,
  )
  const next = db
    .select({ id: scans.fileId })
    .from(scans)
    .where(or(eq(scans.state, 'queued'), and(isWorking, isOwnerStale(scans.instance)), isUnacknowledged))
    .orderBy(
      sql`(select count(*) from ${scans} busy where busy.user_id = ${scans.userId} and busy.state = 'working')`,
      asc(scans.updatedAt),
    )
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(scans)
    .set({ state: 'working', tries: sql`${scans.tries} + 1`, instance: instance.id })
    .where(eq(scans.fileId, sql`(${next})`))
    .returning()
  return row ?? null
}
