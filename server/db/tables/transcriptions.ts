import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Segment, Speaker } from '#contract/transcriptions.ts'
import { users } from './auth.ts'
import { createdAt, deletedWith, symbols, tsvector } from './columns.ts'

/** Rows of the first release have no speakers. */
export type StoredSegment = Omit<Segment, 'speaker'> & Partial<Pick<Segment, 'speaker'>>

/** The name is empty until somebody gives one. A joined speaker stays, so that the join can be undone. */
export type StoredSpeaker = Speaker & { joinedTo?: string }

/** Work that the provider does by itself: it is asked for the result by the id. */
export interface ProviderOperation {
  id: string
  /** The counted length of what was sent. */
  seconds: number | null
  startedAt: string
}

/** Times are relative to the part. Speakers have the keys that they have in the whole recording. */
export interface TranscribedPart {
  text: string
  segments: StoredSegment[] | null
  /** The length as measured by the provider. */
  seconds: number | null
  /** The actual length. */
  ms: number
}

/** Where a recording is split, in audio frames: decided once, so that a retry continues with the same parts. */
export interface PartRange {
  from: number
  to: number
}

export const transcriptions = pgTable(
  'transcriptions',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    title: text().notNull(),
    fileName: text().notNull(),
    mime: text(),
    bytes: bigint({ mode: 'number' }).notNull(),
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** The bytes are stored in chunks of this size under `recordings/<number>-<storageKey>`. */
    chunkBytes: bigint({ mode: 'number' }).notNull(),
    storageKey: text().notNull(),
    durationMs: integer(),
    language: text(),
    modelId: text(),
    state: text({ enum: ['uploading', 'queued', 'working', 'ready', 'failed'] }).notNull(),
    progress: integer().notNull().default(0),
    /** Null until the split is decided; an empty list sends the recording whole. */
    plan: jsonb().$type<PartRange[]>(),
    transcribed: jsonb().$type<TranscribedPart[]>().notNull().default([]),
    text: text().notNull().default(''),
    segments: jsonb().$type<StoredSegment[]>(),
    speakers: jsonb().$type<StoredSpeaker[]>().notNull().default([]),
    /** Stored as soon as the provider has begun, so that a try after a crash waits for it instead of paying again. */
    operation: jsonb().$type<ProviderOperation>(),
    edited: boolean().notNull().default(false),
    /** The model's text, stored at the first correction. */
    original: jsonb().$type<{ text: string; segments: StoredSegment[] | null }>(),
    errorCode: text(),
    errorMessage: text(),
    charged: symbols().notNull().default(0),
    /** How much of it, from the beginning, was sent to the provider. */
    sentMs: bigint({ mode: 'number' }).notNull().default(0),
    /** The part of `charged` for parts in `transcribed`: a retry with the same model does not charge them again. */
    paid: symbols().notNull().default(0),
    /** The key of its hold while it runs. */
    hold: text(),
    /** Number of the current claim: a former worker that resumes finds another number. */
    tries: integer().notNull().default(0),
    /** How often its worker died since it was queued. */
    crashes: integer().notNull().default(0),
    instance: text(),
    search: tsvector(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index('transcriptions_list').on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('transcriptions_unfinished').on(t.updatedAt).where(sql`${t.state} in ('uploading', 'queued', 'working')`),
    index('transcriptions_by_storage_key').on(t.storageKey),
    index('transcriptions_search').using('gin', t.search),
    check('transcription_working', sql`${t.state} <> 'working' or ${t.instance} is not null`),
    check('transcription_received', sql`${t.received} >= 0 and ${t.received} <= ${t.bytes} and ${t.chunkBytes} > 0`),
  ],
)
