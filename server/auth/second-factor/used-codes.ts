import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { usedCodes } from '#server/db/schema.ts'

/** Longer than the library accepts a code for: its own half minute and one on each side. */
const USED_MS = 3 * 60_000

/** Takes a code for one try; false when it was tried before. One statement, so two tries at once are not both first. */
export async function takeCode(db: Db, userId: string, code: string): Promise<boolean> {
  const now = new Date()
  const old = new Date(now.getTime() - USED_MS)
  await db.delete(usedCodes).where(and(eq(usedCodes.userId, userId), lt(usedCodes.usedAt, old)))
  const taken = await db
    .insert(usedCodes)
    .values({ userId, code, usedAt: now })
    .onConflictDoNothing()
    .returning({ one: sql`1` })
  return taken.length > 0
}
