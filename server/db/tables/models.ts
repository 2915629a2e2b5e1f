import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
} from 'drizzle-orm/pg-core'
import type { ImageSkills } from '#contract/image-skills.ts'
import { createdAt } from './columns.ts'

export const models = pgTable(
  'models',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    kind: text({ enum: ['text', 'image', 'transcription', 'embedding', 'scan'] })
      .notNull()
      .default('text'),
    provider: text().notNull(),
    providerModel: text().notNull(),
    inputRate: doublePrecision().notNull().default(1),
    outputRate: doublePrecision().notNull().default(1),
    thoughtRate: doublePrecision().notNull().default(0),
    cachedRate: doublePrecision(),
    imagePrice: integer(),
    minutePrice: integer(),
    /** How the model tells who spoke; null when it does not. */
    speakers: text({ enum: ['diarized_json', 'segments', 'diarization', 'service'] }),
    maxSpeakers: integer(),
    pagePrice: integer(),
    /** What an image model can do; null until its owner says something else than the usual. */
    imageSkills: jsonb().$type<ImageSkills>(),
    contextSymbols: integer(),
    maxOutputSymbols: integer(),
    vision: boolean().notNull().default(false),
    thinks: boolean().notNull().default(false),
    fallbackId: text().references((): AnyPgColumn => models.id, { onDelete: 'set null' }),
    retiresOn: date({ mode: 'string' }),
    /** The day that the provider announced last; while `retiresOn` is the same, the owner has not chosen another. */
    announcedOn: date({ mode: 'string' }),
    /** Day and step of the last notice to the owner, like `2027-01-14:60`. */
    retirementNotice: text(),
    successorId: text().references((): AnyPgColumn => models.id, { onDelete: 'set null' }),
    costInput: integer(),
    costOutput: integer(),
    costCached: integer(),
    costCurrency: text(),
    hidden: boolean().notNull().default(false),
    canUseWithAssistant: boolean().notNull().default(false),
    position: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.position),
    check('model_rates', sql`${t.inputRate} >= 0 and ${t.outputRate} >= 0`),
    check('model_thought_rates', sql`${t.thoughtRate} >= 0 and ${t.cachedRate} >= 0`),
    check('model_no_fallback_to_itself', sql`${t.fallbackId} is null or ${t.fallbackId} <> ${t.id}`),
  ],
)
