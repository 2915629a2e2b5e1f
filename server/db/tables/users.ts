import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { models } from './models.ts'

/** What a user prefers in chats. A row exists for everybody: it is made together with the user. */
export const settings = pgTable('settings', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  threadModel: text().references(() => models.id, { onDelete: 'set null' }),
  threadHistory: boolean().notNull().default(true),
  threadHistoryLimit: integer().notNull().default(20),
  threadGptNameEnabled: boolean().notNull().default(true),
  threadGptNamePrompt: text().notNull(),
})
