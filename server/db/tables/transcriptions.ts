import { sql } from 'drizzle-orm'
import { bigint, boolean, check, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Segment } from '#contract/transcriptions.ts'
import { users } from './auth.ts'
import { createdAt, moment, symbols, tsvector } from './columns.ts'

/** What was heard in one part of a recording; times are from the beginning of the part. */
export interface TranscribedPart {
  text: string
  segments: Segment[] | null
  /** The length as the provider measured it. */
  seconds: number | null
  /** How long it really is; parts that the previous release stored have none. */
  ms?: number
}

/** Where a recording is cut, in frames of its sound: decided once, so that a second try goes on and does not begin anew. */
export interface PartRange {
  from: number
  to: number
}

export const transcriptions = pgTable(
  'transcriptions',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    fileName: text().notNull(),
    mime: text(),
    bytes: bigint({ mode: 'number' }).notNull(),
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** The bytes are kept in pieces of this size under `recordings/<number>-<storageKey>`. */
    chunkBytes: bigint({ mode: 'number' }).notNull(),
    storageKey: text().notNull(),
    durationMs: integer(),
    language: text(),
    modelId: text(),
    state: text({ enum: ['uploading', 'queued', 'working', 'ready', 'failed'] }).notNull(),
    progress: integer().notNull().default(0),
    /** Null while it is not decided how the recording is cut; an empty list sends it as it is. */
    plan: jsonb().$type<PartRange[]>(),
    transcribed: jsonb().$type<TranscribedPart[]>().notNull().default([]),
    text: text().notNull().default(''),
    segments: jsonb().$type<Segment[]>(),
    edited: boolean().notNull().default(false),
    /** What the model heard, kept at the first correction. */
    original: jsonb().$type<{ text: string; segments: Segment[] | null }>(),
    errorCode: text(),
    errorMessage: text(),
    charged: symbols().notNull().default(0),
    /** How much of it the provider has been asked to listen to, from the beginning. */
    askedMs: bigint({ mode: 'number' }).notNull().default(0),
    /** What of `charged` paid for parts in `heard`: the next try of the same model does not charge them again. */
    paid: symbols().notNull().default(0),
    /** The hold behind the work, while there is one. */
    hold: text(),
    /** Which worker has it: a former one that wakes up finds another number. */
    tries: integer().notNull().default(0),
    /** How often its worker died since it was last put in the queue. */
    crashes: integer().notNull().default(0),
    /** The process that works on it. */
    instance: text(),
    /** Read by the previous release only; goes with the next. */
    heartbeatAt: moment(),
    /** What it cost the owner, in minor units of `costCurrency`. */
    cost: doublePrecision(),
    costCurrency: text(),
    search: tsvector(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index('transcriptions_list').on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('transcriptions_unfinished').on(t.updatedAt).where(sql`${t.state} in ('uploading', 'queued', 'working')`),
    index('transcriptions_by_storage_key').on(t.storageKey),
    index('transcriptions_search').using('gin', t.search),
    check('transcription_received', sql`${t.received} >= 0 and ${t.received} <= ${t.bytes} and ${t.chunkBytes} > 0`),
  ],
)
