import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

/** Which installation this database belongs to: one row. The storage of the files holds the same id. */
export const installation = pgTable(
  'installation',
  { one: boolean().primaryKey().default(true), id: text().notNull(), createdAt: createdAt() },
  (t) => [check('installation_one', sql`${t.one}`)],
)

/** Objects of the storage that no row names. They are deleted when they have been here for long enough. */
export const storageOrphans = pgTable(
  'storage_orphans',
  {
    key: text().primaryKey(),
    /** Their rows went with the account that owned them: they are deleted at once, however many they are. */
    expected: boolean().notNull().default(false),
    firstSeenAt: createdAt(),
    /** What is not seen any more is forgotten. */
    seenAt: createdAt(),
  },
  (t) => [index('storage_orphans_expected').on(t.key).where(sql`${t.expected}`)],
)
