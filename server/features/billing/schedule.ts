import { and, lt, ne } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { holds } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { type DeliveredUnder, expireGrants, sweepHolds } from './sweeper.ts'

const KEPT_HOLDS_MS = 30 * 86_400_000

/** The books' own housekeeping. Nothing here is needed for them to be right, only for them to say so in time. */
export async function scheduleBilling(
  jobs: Jobs,
  { db, publish }: { db: Db; publish: Publish },
  deliveredUnder: DeliveredUnder,
): Promise<void> {
  const tell = (owners: string[]) => {
    for (const userId of owners) publish(userId, { topic: 'profile', type: 'balance', data: null })
  }
  await jobs.every('sweep-holds', '* * * * *', async () => tell(await sweepHolds(db, deliveredUnder)))
  await jobs.every('expire-grants', '*/5 * * * *', async () => tell(await expireGrants(db)))
  await jobs.every('forget-ended-holds', '17 3 * * *', async () => {
    await db
      .delete(holds)
      .where(and(ne(holds.state, 'active'), lt(holds.createdAt, new Date(Date.now() - KEPT_HOLDS_MS))))
  })
  // A crash may be why this process starts: what it left is looked at without waiting for the minute.
  await jobs.soon('sweep-holds')
}
