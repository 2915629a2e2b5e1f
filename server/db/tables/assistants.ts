import { sql } from 'drizzle-orm'
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
export const fileChunks = pgTable(
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
    search: tsvector().generatedAlwaysAs(
      sql`setweight(to_tsvector('russian', translate(coalesce(section, ''), 'ёЁ', 'еЕ')), 'A') || to_tsvector('russian', translate(text, 'ёЁ', 'еЕ'))`,
    ),
    /** Cast to a vector where the database has that extension. */
    embedding: real().array(),
  },
  (t) => [
    index().on(t.fileId, t.position),
    index().on(t.assistantId),
    index('file_chunks_search').using('gin', t.search),
  ],
)
