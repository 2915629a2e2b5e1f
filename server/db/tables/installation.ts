import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'

/**
 * Running server processes. Long work stores its instance's id; when the instance dies, others end or take over the
 * work.
 */
export const instances = pgTable(
  'instances',
  {
    id: text().primaryKey(),
    /** The same for every start of one installation on one machine. */
    name: text().notNull(),
    startedAt: createdAt(),
    /** Updated every second or two while it lives. */
    seenAt: createdAt(),
    /** Null for a build of the release before, as is `outages`. */
    build: text(),
    /** Services that it cannot use now, and since when. */
    outages: jsonb().$type<{ part: string; since: string; names?: string[] }[]>(),
    /** Set when it was found dead; the row is deleted when none of its work is left. */
    endedAt: moment(),
  },
  (t) => [index('instances_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`)],
)

/** Work by the clock: one row for each job. An instance claims a due row and moves `nextAt` on when the run has ended. */
export const jobRuns = pgTable('job_runs', {
  name: text().primaryKey(),
  nextAt: moment().notNull(),
  /** Null between runs. */
  instance: text(),
  /** The start of the current or last run. */
  startedAt: moment(),
  /** When the run counts as lost and may be repeated. */
  leaseUntil: moment(),
  /** How many runs have failed in a row. */
  failures: integer().notNull().default(0),
})

/** The id of this installation: one row. The file storage holds the same id. */
export const installation = pgTable(
  'installation',
  { one: boolean().primaryKey().default(true), id: text().notNull(), createdAt: createdAt() },
  (t) => [check('installation_one', sql`${t.one}`)],
)

/** Stored objects that no row references. They are deleted after a waiting time. */
export const storageOrphans = pgTable(
  'storage_orphans',
  {
    key: text().primaryKey(),
    /** Their rows were deleted with the account: they are deleted at once. */
    expected: boolean().notNull().default(false),
    firstSeenAt: createdAt(),
    /** Entries that are not seen again are removed. */
    seenAt: createdAt(),
  },
  (t) => [index('storage_orphans_expected').on(t.key).where(sql`${t.expected}`)],
)
