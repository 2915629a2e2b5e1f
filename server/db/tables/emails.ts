import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment } from './columns.ts'

/** Emails to send, written in the transaction of what they are about. */
export const emailOutbox = pgTable(
  'email_outbox',
  {
    id: text().primaryKey(),
    key: text().notNull().unique(),
    recipient: text().notNull(),
    /** The user with this address when the email was written: deleting the account deletes the email. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    createdAt: createdAt(),
    /** When to try; while an instance is sending it, when another may take over. */
    sendAt: moment().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    sentAt: moment(),
    /** Set when all attempts failed. */
    failedAt: moment(),
  },
  (t) => [
    index().on(t.userId),
    index('email_outbox_due').on(t.sendAt).where(sql`${t.sentAt} is null and ${t.failedAt} is null`),
  ],
)
