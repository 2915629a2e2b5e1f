import { boolean, index, integer, jsonb, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith, tsvector } from './columns.ts'
import { files } from './files.ts'
import { models } from './models.ts'

/** A model with instructions and files. Its threads outlive it. */
export const assistants = pgTable(
  'assistants',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    name: text().notNull(),
    description: text().notNull().default(''),
    instructions: text().notNull().default(''),
    /** An emoji, or a small image as a data URL. */
    avatar: text().notNull(),
    modelId: text().references(() => models.id, { onDelete: 'set null' }),
    starters: jsonb().$type<string[]>().notNull().default([]),
    /** Only models whose data stays in this country answer; null for all. */
    country: text(),
    /** The model of the chat writes search words before its files are searched. */
    searchWords: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [index().on(t.userId, t.createdAt)],
)

/** A stored part of a file that can be found by a question. */
export const filePassages = pgTable(
  'file_passages',
  {
    id: text().primaryKey(),
    fileId: deletedWith(() => files.id),
    libraryId: text('assistant_id').notNull(),
    position: integer().notNull(),
    /** The page or sheet: «стр. 4», «лист «Цены»». */
    place: text(),
    /** The headings above it. */
    section: text(),
    text: text().notNull(),
    /** How many symbols at its beginning repeat the previous passage. */
    lead: integer().notNull().default(0),
    /**
     * Words of the passage, its section and file, and the id of the library: one index serves every library separately.
     */
    search: tsvector(),
    /** Cast to a vector where the database has the extension. */
    embedding: real().array(),
    /** The model of the embedding: vectors of two models cannot be compared. */
    embedder: text(),
  },
  (t) => [
    index().on(t.fileId, t.position),
    index().on(t.libraryId),
    // Without the fast-update list of GIN, which every search would have to read.
    index('file_passages_search').using('gin', t.search).with({ fastupdate: false }),
    index().on(t.embedder),
  ],
)

/** The different words of a file, as stems of the index; a misspelt word of a question is compared with them. */
export const fileWords = pgTable('file_words', {
  fileId: text()
    .primaryKey()
    .references(() => files.id, { onDelete: 'cascade' }),
  words: text().array().notNull(),
  /** Changes with the words. */
  stamp: text().notNull(),
})

/** Search words that a model has written for a question, so that the same question is not paid for twice. */
export const searchWords = pgTable(
  'search_words',
  {
    /** A trigger deletes the words with their assistant or project. */
    libraryId: text('assistant_id').notNull(),
    /** A hash: the question itself is not stored here. */
    question: text().notNull(),
    words: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.libraryId, t.question] }), index().on(t.createdAt)],
)
