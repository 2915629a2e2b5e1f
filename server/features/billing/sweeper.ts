import { and, asc, eq, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files, grants, holds, images, messages, transcriptions } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import type { Job } from '#server/jobs/jobs.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import { expireGrantsOf, release } from './ledger.ts'

const BATCH = 200

interface SweepDeps {
  db: Db
  onChanged: (userId: string) => void
  onError: (error: unknown, context: object) => void
}

/**
 * Releases the holds of stopped processes and forgotten ones. Holds of answers, images and recordings are ended by
 * their own recovery, which charges what was stored; the rest belongs to requests of which nothing is stored.
 */
export async function sweepHolds({ db, onChanged, onError }: SweepDeps): Promise<number> {
  const abandoned = await db
    .select({ key: holds.key, userId: holds.userId })
    .from(holds)
    .where(
      and(eq(holds.state, 'active'), or(isOwnerStale(holds.instance), lt(holds.leaseUntil, sql`now()`)), hasNoWork),
    )
    .orderBy(asc(holds.createdAt))
    .limit(BATCH)
  return forEachRow(
    abandoned,
    async ({ key, userId }) => {
      if ((await release(db, key)) === 'done') onChanged(userId)
    },
    onError,
  )
}

/** Work that its own recovery will still end or take over keeps its hold. */
const hasNoWork = sql`not exists (
    select 1 from ${messages} answer where answer.status = 'streaming' and answer.run->>'hold' = ${holds.key}
  ) and not exists (
    select 1 from ${images} image where image.state = 'making' and 'image:' || image.id = ${holds.key}
  ) and not exists (
    select 1 from ${transcriptions} recording
    where recording.state in ('queued', 'working') and recording.hold = ${holds.key}
  ) and not exists (
    select 1 from ${files} file where file.hold = ${holds.key} and file.state in ('uploaded', 'reading', 'indexing'))`

const isExpired = (now: Date | SQL) => and(grants.isLeft, lt(grants.expiresAt, now))

/** Writes off expired symbols, so that the balance is up to date before the user looks. */
export async function expireGrants({ db, onChanged, onError }: SweepDeps, now?: Date): Promise<number> {
  const owners = await db
    .selectDistinct({ userId: grants.userId })
    .from(grants)
    .where(isExpired(now ?? sql`now()`))
    .limit(BATCH)
  return forEachRow(
    owners,
    async ({ userId }) => {
      await expireGrantsOf(db, userId, now)
      onChanged(userId)
    },
    onError,
  )
}

/** A failed row does not stop the others. Returns how many succeeded. */
async function forEachRow<Row extends object>(
  rows: Row[],
  work: (row: Row) => Promise<void>,
  onError: SweepDeps['onError'],
): Promise<number> {
  let done = 0
  for (const row of rows) {
    try {
      await work(row)
      done += 1
    } catch (error) {
      onError(error, row)
    }
  }
  return done
}

/** Housekeeping: the ledger is correct without it, but expired symbols would show up late. */
export const grantSweep = (deps: SweepDeps): Sweep => ({
  name: 'expire-grants',
  everyMs: 60_000,
  waits: sql`exists (select from ${grants} where ${isExpired(sql`now()`)})`,
  run: () => expireGrants(deps),
})

export function billingJobs(db: Db): Job[] {
  const run = () =>
    longRunning(db)
      .delete(holds)
      .where(and(ne(holds.state, 'active'), lt(holds.createdAt, sql`now() - interval '30 days'`)))
  return [{ name: 'forget-ended-holds', cron: '17 3 * * *', run, limitSeconds: 900 }]
}
