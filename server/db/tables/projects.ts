import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith } from './columns.ts'
import { models } from './models.ts'

/** Chats with common instructions and files. Its chats outlive it unless they are deleted with it. */
export const projects = pgTable(
  'projects',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    name: text().notNull(),
    /** An emoji or the name of a colour. */
    icon: text().notNull(),
    instructions: text().notNull().default(''),
    /** The instructions are sent instead of the person's own ones, not beside them. */
    replacesPersonal: boolean().notNull().default(false),
    modelId: text().references(() => models.id, { onDelete: 'set null' }),
    /** Only models whose data stays in this country answer; null for all. */
    country: text(),
    /** The model of the chat writes search words before its files are searched. */
    searchWords: boolean().notNull().default(true),
    archived: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [index().on(t.userId, t.createdAt)],
)
