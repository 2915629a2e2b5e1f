import { eq, ilike, inArray, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'

/** More than these are not named one by one. */
const FEW = 200

/**
 * That a column names one of the people a text means: by number, or by a part of the address. Few people are looked up
 * first, so that their rows are found by index; null when it means nobody.
 */
export async function isOfPeople(db: Db, column: PgColumn, text: string): Promise<SQL | null> {
  const meant = or(eq(users.id, text), ilike(users.email, `%${text.replace(/[\\%_]/g, '\\$&')}%`))
  const people = await db
    .select({ id: users.id })
    .from(users)
    .where(meant)
    .limit(FEW + 1)
  if (people.length === 0) return null
  if (people.length > FEW) return inArray(column, db.select({ id: users.id }).from(users).where(meant))
  return inArray(
    column,
    people.map(({ id }) => id),
  )
}
