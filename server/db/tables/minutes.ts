import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { createdAt, deletedWith, symbols } from './columns.ts'
import { transcriptions } from './transcriptions.ts'

/** Seconds are those of lines of the recording; null where none was given or it was wrong. */
export interface MeetingNotes {
  summary: string
  decisions: { text: string; second: number | null }[]
  tasks: { who: string; what: string; due: string; second: number | null }[]
  questions: { text: string; second: number | null }[]
}

/** The notes of one part, stored as soon as they are written and paid for. */
export interface PartNotes {
  /** Of the model and the text that was read, whatever the speakers are called: another text is read again. */
  hash: string
  notes: MeetingNotes
  /** What the speakers were called, by their keys. */
  names?: Record<string, string>
}

/** Documents that models write about recordings: one of each kind for a recording. */
export const minutes = pgTable(
  'minutes',
  {
    id: text().primaryKey(),
    userId: deletedWith(() => users.id),
    transcriptionId: deletedWith(() => transcriptions.id),
    kind: text({ enum: ['minutes', 'letter', 'tasks'] }).notNull(),
    state: text({ enum: ['queued', 'working', 'ready', 'failed', 'stopped'] }).notNull(),
    modelId: text(),
    /** The last whole text: it stays until the next one is whole. */
    text: text().notNull().default(''),
    edited: boolean().notNull().default(false),
    version: integer().notNull().default(0),
    notes: jsonb().$type<PartNotes[]>().notNull().default([]),
    /** A hash of the recording's text that `text` was made from. */
    source: text(),
    stepsDone: integer().notNull().default(0),
    stepsTotal: integer(),
    charged: symbols().notNull().default(0),
    errorCode: text(),
    errorMessage: text(),
    /** Number of the current claim: a former worker that resumes finds another number. */
    tries: integer().notNull().default(0),
    /** How often its worker died since it was queued. */
    crashes: integer().notNull().default(0),
    instance: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex('one_document_of_a_kind').on(t.transcriptionId, t.kind),
    index().on(t.userId),
    index('minutes_unfinished').on(t.updatedAt).where(sql`${t.state} in ('queued', 'working')`),
    check('minutes_working', sql`${t.state} <> 'working' or ${t.instance} is not null`),
  ],
)
