import { and, lt, ne, sql } from 'drizzle-orm'
import { longRunning } from '#server/db/long-running.ts'
import { holds } from '#server/db/schema.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { type Sweep, startSweep } from '#server/jobs/sweeps.ts'
import { fillMarks } from './person-marks.ts'
import { expireGrants, type SweepDeps } from './sweeper.ts'

const EXPIRE_EVERY_MS = 60_000

/** Housekeeping: the ledger is correct without it, but expired symbols and marks would show up late. */
export async function scheduleBilling(jobs: Jobs, deps: SweepDeps & { personKey: Buffer }): Promise<Sweep> {
  const deleteEndedHolds = async () => {
    await longRunning(deps.db)
      .delete(holds)
      .where(and(ne(holds.state, 'active'), lt(holds.createdAt, sql`now() - interval '30 days'`)))
  }
  await jobs.every('forget-ended-holds', '17 3 * * *', deleteEndedHolds, { limitSeconds: 900 })
  await jobs.every('mark-people', '*/10 * * * *', async () => void (await fillMarks(deps.db, deps.personKey)), {
    limitSeconds: 900,
  })
  await jobs.soon('mark-people')
  return startSweep({
    name: 'expire-grants',
    everyMs: EXPIRE_EVERY_MS,
    sweep: () => expireGrants(deps),
    onError: (error) => deps.onError(error, { sweep: 'expire-grants' }),
  })
}
