import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, moment, symbols, tsvector } from './columns.ts'

/**
 * Pictures that were drawn. The bytes are in the storage under `storageKey` and `thumbKey`. Of a deleted one the row
 * stays without words and bytes, because what it cost belongs to the reports.
 */
export const images = pgTable(
  'images',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Pictures of one call, and the place of this one among them: the same call twice makes them once. */
    batchId: text().notNull(),
    place: integer().notNull(),
    prompt: text().notNull(),
    modelId: text().notNull(),
    size: text({ enum: ['1024x1024', '1536x1024', '1024x1536', 'auto'] }).notNull(),
    state: text({ enum: ['making', 'ready', 'failed'] }).notNull(),
    /** The price that is held while it is made, under `image:` and its id. */
    price: symbols().notNull(),
    charged: symbols().notNull().default(0),
    /** The provider has been asked for it: from then on who deletes it pays. */
    asked: boolean().notNull().default(false),
    errorCode: text(),
    errorMessage: text(),
    /** The process that makes it. */
    instance: text(),
    /** Set while it is made. Read by the previous release only; goes with the next. */
    heartbeatAt: moment(),
    width: integer(),
    height: integer(),
    bytes: integer(),
    mime: text(),
    storageKey: text(),
    thumbKey: text(),
    /** Set for what was asked for in a chat; its cost is with the message. */
    threadId: text(),
    messageId: text(),
    /** What it cost the owner, in minor units of `costCurrency`. */
    cost: doublePrecision(),
    costCurrency: text(),
    search: tsvector().generatedAlwaysAs(sql`to_tsvector('russian', translate(prompt, 'ёЁ', 'еЕ'))`),
    createdAt: createdAt(),
    deletedAt: moment(),
  },
  (t) => [
    index('images_newest')
      .on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.deletedAt} is null`),
    uniqueIndex('images_once').on(t.userId, t.batchId, t.place),
    index('images_making').on(t.heartbeatAt).where(sql`${t.state} = 'making'`),
    index('images_by_instance').on(t.instance).where(sql`${t.state} = 'making'`),
    index('images_by_storage_key').on(t.storageKey),
    index('images_by_thumb_key').on(t.thumbKey),
    index().on(t.createdAt),
    check('image_ready', sql`${t.state} <> 'ready' or ${t.deletedAt} is not null or ${t.storageKey} is not null`),
    check('image_making', sql`(${t.state} = 'making') = (${t.heartbeatAt} is not null)`),
    check('image_charged', sql`${t.charged} = 0 or ${t.state} = 'ready' or ${t.deletedAt} is not null`),
  ],
)
