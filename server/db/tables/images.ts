import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Area } from '#contract/image-area.ts'
import { imageSizes } from '#contract/image-skills.ts'
import { imageOrigins, imageStates } from '#contract/images.ts'
import { users } from './auth.ts'
import { createdAt, deletedWith, moment, symbols, tsvector } from './columns.ts'

/**
 * Images that were drawn, changed or uploaded. The bytes are in the storage under `storageKey` and `thumbKey`. A
 * deleted image keeps its row without prompt and bytes, because its cost belongs to the reports.
 */
export const images = pgTable(
  'images',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    /** The images of one call and the position among them: repeating the call creates them once. */
    batchId: text().notNull(),
    position: integer().notNull(),
    prompt: text().notNull(),
    modelId: text().notNull(),
    size: text({ enum: imageSizes }).notNull(),
    state: text({ enum: imageStates }).notNull(),
    /** The price held while it is generated, under `image:` and its id. */
    price: symbols().notNull(),
    charged: symbols().notNull().default(0),
    /** The provider has been called: from then on deleting it costs the full price. */
    requested: boolean().notNull().default(false),
    errorCode: text(),
    errorMessage: text(),
    /** The instance that generates it, while it does. */
    instance: text(),
    width: integer(),
    height: integer(),
    bytes: integer(),
    mime: text(),
    storageKey: text(),
    thumbKey: text(),
    /** Set for images of a chat; their cost is stored with the message. */
    threadId: text(),
    messageId: text(),
    origin: text({ enum: imageOrigins }).notNull().default('drawn'),
    transparent: boolean().notNull().default(false),
    /** The image that it was changed from, and the first one of all its versions. Rows of deleted images stay. */
    parentId: text(),
    rootId: text(),
    /** What the change may touch; null for the whole image. Kept for another try. */
    area: jsonb().$type<Area>(),
    exampleIds: jsonb().$type<string[]>(),
    /** The model's image before the untouched area was put back, stored when they differ visibly. */
    wholeKey: text(),
    search: tsvector().generatedAlwaysAs(sql`to_tsvector('russian', translate(prompt, 'ёЁ', 'еЕ'))`),
    createdAt: createdAt(),
    deletedAt: moment(),
  },
  (t) => [
    index('images_newest')
      .on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.deletedAt} is null`),
    uniqueIndex('images_once').on(t.userId, t.batchId, t.position),
    index('images_by_instance').on(t.instance).where(sql`${t.state} = 'making'`),
    index('images_by_storage_key').on(t.storageKey),
    index('images_by_thumb_key').on(t.thumbKey),
    index('images_by_whole_key').on(t.wholeKey).where(sql`${t.wholeKey} is not null`),
    index('images_versions').on(t.userId, t.rootId).where(sql`${t.rootId} is not null`),
    index().on(t.createdAt),
    check('image_ready', sql`${t.state} <> 'ready' or ${t.deletedAt} is not null or ${t.storageKey} is not null`),
    check('image_making', sql`(${t.state} = 'making') = (${t.instance} is not null)`),
    check('image_charged', sql`${t.charged} = 0 or ${t.state} = 'ready' or ${t.deletedAt} is not null`),
  ],
)
