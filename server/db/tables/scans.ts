import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith, symbols } from './columns.ts'
import { files } from './files.ts'

/** The reading of a file's pages by a model that sees; made when its owner agrees to the price of a page. */
export const scans = pgTable(
  'scans',
  {
    fileId: text()
      .primaryKey()
      .references(() => files.id, { onDelete: 'cascade' }),
    userId: deletedWith(() => users.id),
    state: text({ enum: ['queued', 'working', 'stopped', 'ready'] }).notNull(),
    modelId: text().notNull(),
    /** The price that the owner agreed to. */
    pagePrice: symbols().notNull(),
    /** Why it stopped before all pages were read. */
    errorCode: text(),
    errorMessage: text(),
    /** Number of the current claim: a former worker that resumes finds another number. */
    tries: integer().notNull().default(0),
    instance: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index('scans_unfinished').on(t.updatedAt).where(sql`${t.state} in ('queued', 'working')`),
    index().on(t.userId),
    check('scan_working', sql`(${t.state} = 'working') = (${t.instance} is not null)`),
  ],
)

/** A page is charged once, in the transaction that stores its text. */
export const scanPages = pgTable(
  'scan_pages',
  {
    id: text().primaryKey(),
    fileId: deletedWith(() => scans.fileId),
    userId: deletedWith(() => users.id),
    number: integer().notNull(),
    state: text({ enum: ['waiting', 'working', 'ready', 'failed'] }).notNull(),
    instance: text(),
    text: text(),
    /** Shown to its owner. */
    error: text(),
    charged: symbols().notNull().default(0),
    /** A part of the key of its hold. */
    tries: integer().notNull().default(0),
    /** How often it failed or its worker died. */
    crashes: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex('scan_pages_once').on(t.fileId, t.number),
    index().on(t.userId),
    check('scan_page_working', sql`(${t.state} = 'working') = (${t.instance} is not null)`),
    check('scan_page_ready', sql`(${t.state} = 'ready') = (${t.text} is not null)`),
    check('scan_page_charged', sql`${t.charged} = 0 or ${t.state} = 'ready'`),
  ],
)
