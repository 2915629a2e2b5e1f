import { and, lt, ne } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { holds } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { expireGrants, sweepHolds } from './sweeper.ts'

const KEPT_HOLDS_MS = 30 * 86_400_000

/** The books' own housekeeping. Nothing here is needed for them to be right, only for them to say so in time. */
export async function scheduleBilling(jobs: Jobs, db: Db, publish: Publish): Promise<void> {
  // Nothing stores answers yet, so what a lost hold delivered is nothing.
  await jobs.every('sweep-holds', '* * * * *', async () => {
    await sweepHolds(db, async () => null)
  })
  await jobs.every('expire-grants', '*/5 * * * *', async () => {
    const owners = await expireGrants(db)
    for (const userId of owners) publish(userId, { topic: 'profile', type: 'balance', data: null })
  })
  await jobs.every('forget-ended-holds', '17 3 * * *', async () => {
    await db
      .delete(holds)
      .where(and(ne(holds.state, 'active'), lt(holds.createdAt, new Date(Date.now() - KEPT_HOLDS_MS))))
  })
}
