import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith, moment, tsvector } from './columns.ts'

const owner = () => text().references(() => users.id, { onDelete: 'cascade' })
const author = () => text().references(() => users.id, { onDelete: 'set null' })

/** The versioned content of a prompt. */
const textColumns = () => ({
  title: text().notNull(),
  description: text().notNull().default(''),
  content: text().notNull(),
  category: text().notNull(),
  changedBy: author(),
  changedAt: createdAt(),
})

export const prompts = pgTable(
  'prompts',
  {
    id: text().primaryKey(),
    /** Null for prompts of the library. */
    userId: owner(),
    ...textColumns(),
    version: integer().notNull().default(1),
    published: boolean().notNull().default(false),
    /** The position within the category; ties are ordered newest first. */
    position: integer().notNull().default(0),
    uses: integer().notNull().default(0),
    shareId: text().unique(),
    deletedAt: moment(),
    /** Characters of variables and links are not parts of words. */
    search: tsvector().generatedAlwaysAs(
      sql`setweight(to_tsvector('russian', translate(title, 'ёЁ/-', 'еЕ  ')), 'A') || setweight(to_tsvector('russian', translate(description || ' ' || category, 'ёЁ/-', 'еЕ  ')), 'B') || setweight(to_tsvector('russian', translate(content, 'ёЁ{}:=|/-', 'еЕ       ')), 'D')`,
    ),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.userId, t.id),
    index('prompts_published').on(t.category, t.position, t.id).where(sql`${t.published} and ${t.deletedAt} is null`),
    index('prompts_trash').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    index('prompts_search').using('gin', t.search),
  ],
)

/** Former versions; the current one is in the prompt itself. */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    promptId: deletedWith(() => prompts.id),
    version: integer().notNull(),
    ...textColumns(),
  },
  (t) => [primaryKey({ columns: [t.promptId, t.version] })],
)

const reader = () => deletedWith(() => users.id)
const prompt = () => deletedWith(() => prompts.id)

export const promptFavourites = pgTable(
  'prompt_favourites',
  { userId: reader(), promptId: prompt(), at: createdAt() },
  (t) => [primaryKey({ columns: [t.userId, t.promptId] }), index().on(t.promptId)],
)

/** Each use once: the client's id makes a repeat harmless. */
export const promptUses = pgTable(
  'prompt_uses',
  { userId: reader(), id: text().notNull(), promptId: prompt(), at: createdAt() },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), index().on(t.promptId)],
)

/** Who opened a prompt by its link. They keep access while the link stays the same. */
export const promptGuests = pgTable(
  'prompt_guests',
  { userId: reader(), promptId: prompt(), shareId: text().notNull(), at: createdAt() },
  (t) => [primaryKey({ columns: [t.userId, t.promptId] }), index().on(t.promptId)],
)

/**
 * Prompts shipped with the product, as last imported: changed ones are not overwritten and deleted ones stay deleted.
 */
export const promptSeeds = pgTable('prompt_seeds', {
  /** Folder and file name. */
  key: text().primaryKey(),
  hash: text().notNull(),
  promptId: text().references(() => prompts.id, { onDelete: 'set null' }),
})
