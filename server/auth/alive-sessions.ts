import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema.ts'

/** Which of these sessions still exist, have not run out and belong to somebody who is not banned. */
export async function aliveSessions(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.id, ids), gt(sessions.expiresAt, new Date()), eq(users.banned, false)))
  return new Set(rows.map(({ id }) => id))
}
