import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { ImportFound, ImportResult } from '#contract/imports.ts'
import { users } from './auth.ts'
import { createdAt, deletedWith } from './columns.ts'
import { threads } from './threads.ts'

/** A place in the archive: all before it is stored, together with the counts in `result`. */
export interface StoredPlace {
  file: number
  text: number
  item: number
}

/** Archives of other services, from their upload to the report. The archive itself is deleted when it has been read. */
export const imports = pgTable(
  'imports',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    state: text({ enum: ['uploading', 'queued', 'working', 'found', 'done', 'undone', 'failed'] }).notNull(),
    step: text({ enum: ['check', 'store', 'undo'] })
      .notNull()
      .default('check'),
    progress: integer().notNull().default(0),
    found: jsonb().$type<ImportFound>(),
    result: jsonb().$type<ImportResult>(),
    place: jsonb().$type<StoredPlace>(),
    /** An undo also removes the chats that their owner has continued. */
    undoContinued: boolean().notNull().default(false),
    /** What its messages take in the database; the limit of a person for texts does not count them. */
    textBytes: bigint({ mode: 'number' }).notNull().default(0),
    /** Shown to its owner. */
    error: text(),
    /** Number of the current claim: a former worker that resumes finds another number. */
    tries: integer().notNull().default(0),
    /** How often its worker died since it was queued. */
    crashes: integer().notNull().default(0),
    instance: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.createdAt),
    index('imports_unfinished').on(t.updatedAt).where(sql`${t.state} in ('uploading', 'queued', 'working', 'found')`),
    check('import_working', sql`${t.state} <> 'working' or ${t.instance} is not null`),
  ],
)

export const importFiles = pgTable(
  'import_files',
  {
    importId: deletedWith(() => imports.id),
    number: integer().notNull(),
    /** The owner again, as in messages. */
    userId: text().notNull(),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    received: bigint({ mode: 'number' }).notNull().default(0),
    chunkBytes: bigint({ mode: 'number' }).notNull(),
    storageKey: text().notNull().unique(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.number] }),
    check('import_received', sql`${t.received} >= 0 and ${t.received} <= ${t.bytes} and ${t.chunkBytes} > 0`),
  ],
)

/** The report of an import: chats that came, and everything that did not. */
export const importItems = pgTable(
  'import_items',
  {
    id: text().primaryKey(),
    importId: deletedWith(() => imports.id),
    userId: text().notNull(),
    source: text().notNull(),
    /** Empty for what has none. */
    sourceId: text().notNull(),
    title: text().notNull(),
    outcome: text({ enum: ['added', 'grown', 'skipped', 'project', 'document'] }).notNull(),
    reason: text(),
    threadId: text().references(() => threads.id, { onDelete: 'set null' }),
    projectId: text(),
    /** Of a chat or a document: the id of its project at the source, which may come later. */
    sourceProject: text(),
    /** Of a document of a project. */
    fileId: text(),
    messages: integer().notNull().default(0),
    lostPictures: integer().notNull().default(0),
    lostFiles: integer().notNull().default(0),
    lostSounds: integer().notNull().default(0),
    /** Of a chat that got new messages: what was shown before. */
    formerLeafId: text(),
  },
  (t) => [
    index().on(t.importId, t.id),
    index().on(t.threadId),
    // A chat of a source comes once, however many archives contain it.
    uniqueIndex('import_items_once')
      .on(t.userId, t.source, t.sourceId)
      .where(sql`${t.outcome} = 'added' and ${t.threadId} is not null`),
    uniqueIndex('import_projects_once')
      .on(t.userId, t.source, t.sourceId)
      .where(sql`${t.outcome} = 'project' and ${t.projectId} is not null`),
    uniqueIndex('import_documents_once')
      .on(t.userId, t.source, t.sourceProject, t.sourceId)
      .where(sql`${t.outcome} = 'document' and ${t.projectId} is not null`),
  ],
)
