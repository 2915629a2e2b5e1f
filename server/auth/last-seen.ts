import { and, eq, lt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import type { CurrentSession } from '#server/http/context.ts'

const HOUR_MS = 3_600_000

/** Keeps when somebody was here, at most once an hour. An administrator behind his eyes is not himself. */
export async function noteVisit(db: Db, session: CurrentSession | null): Promise<CurrentSession | null> {
  const now = new Date()
  const anHourAgo = new Date(now.getTime() - HOUR_MS)
  if (!session || session.impersonatedBy || (session.lastSeenAt && session.lastSeenAt > anHourAgo)) return session
  await db
    .update(users)
    .set({ lastSeenAt: now })
    .where(and(eq(users.id, session.user.id), lt(users.lastSeenAt, anHourAgo)))
  return session
}
