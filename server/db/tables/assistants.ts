import { index, integer, jsonb, pgTable, real, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, tsvector } from './columns.ts'
import { files } from './files.ts'
import { models } from './models.ts'

/** A helper with rules and files of its own. Its threads outlive it. */
export const assistants = pgTable(
  'assistants',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    instructions: text().notNull().default(''),
    /** An emoji, or a small picture as a data address. */
    avatar: text().notNull(),
    modelId: text().references(() => models.id, { onDelete: 'set null' }),
    starters: jsonb().$type<string[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [index().on(t.userId, t.createdAt)],
)

/** A passage of a file, as it is searched for and quoted. */
export const filePassages = pgTable(
  'file_chunks',
  {
    id: text().primaryKey(),
    fileId: text()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    assistantId: text().notNull(),
    position: integer().notNull(),
    /** The page or sheet it stands on, in words: «стр. 4», «лист «Цены»». */
    place: text(),
    /** The headings above it. */
    section: text(),
    text: text().notNull(),
    /** How many symbols at the beginning repeat what stands before. */
    lead: integer().notNull().default(0),
    /** Its words, those of its section and file, and whose it is: one index answers for one assistant alone. */
    search: tsvector(),
    /** Cast to a vector where the database has that extension. */
    embedding: real().array(),
    /** The model the embedding comes from: vectors of two models say nothing of each other. */
    embedder: text(),
  },
  (t) => [
    index().on(t.fileId, t.position),
    index().on(t.assistantId),
    // Without a list of what is still to be indexed: a search would have to read it through.
    index('file_chunks_search').using('gin', t.search).with({ fastupdate: false }),
    index().on(t.embedder),
  ],
)
