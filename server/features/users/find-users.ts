import { eq, inArray, like, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'

/** Email addresses by user id. */
export async function emailsOf(db: Db, userIds: string[]): Promise<Map<string, string>> {
  const found = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...new Set(userIds)]))
  return new Map(found.map(({ id, email }) => [id, email]))
}

/** Up to this many users are listed by id; more are a subquery. */
const MAX_LISTED = 200

/**
 * The condition that a column is the id of a user found by id or a part of the email address. A few users are looked
 * up first, so that their rows are found by index. Null when no user matches. Addresses are stored in lower case,
 * and `like` reads all of them four times faster than `ilike`.
 */
export async function isOfMatchingUsers(db: Db, column: PgColumn, text: string): Promise<SQL | null> {
  const part = text.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const matches = or(eq(users.id, text), like(users.email, `%${part}%`))
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(matches)
    .limit(MAX_LISTED + 1)
  if (found.length === 0) return null
  if (found.length > MAX_LISTED) return inArray(column, db.select({ id: users.id }).from(users).where(matches))
  return inArray(
    column,
    found.map(({ id }) => id),
  )
}
