import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Transcription, TranscriptionRow } from '#contract/transcriptions.ts'
import { transcriptions } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { searchVector } from '../search/vector.ts'

export type Row = Omit<typeof transcriptions.$inferSelect, 'search'>

const { search: _, ...columns } = getTableColumns(transcriptions)
export const wholeColumns = columns

const { text: __, segments: ___, original: ____, transcribed: _____, ...light } = columns
/** Leaves out the long texts; a list shows only the beginning. */
export const listColumns = {
  ...light,
  partsDone: sql<number>`jsonb_array_length(${transcriptions.transcribed})`.mapWith(Number),
  beginning: sql<string>`left(${transcriptions.text}, 200)`,
}

const FRAGMENT = 160

type Light = Omit<Row, 'text' | 'segments' | 'original' | 'transcribed'> & { partsDone: number; beginning: string }

export function toRow(row: Light): TranscriptionRow {
  const { state, plan, errorCode, errorMessage, beginning } = row
  const partsTotal = plan && Math.max(1, plan.length)
  const start = beginning.replace(/\s+/g, ' ').trim()
  return {
    id: row.id,
    title: row.title,
    fileName: row.fileName,
    mime: row.mime,
    bytes: row.bytes,
    received: row.received,
    durationMs: row.durationMs,
    language: row.language,
    modelId: row.modelId,
    status: state,
    progress: row.progress,
    partsDone: state === 'ready' ? (partsTotal ?? 0) : row.partsDone,
    partsTotal,
    edited: row.edited,
    charged: row.charged,
    error: state === 'failed' ? { code: errorCode ?? 'unknown', message: errorMessage ?? '' } : null,
    fragment:
      start === '' ? [] : [{ text: start.length > FRAGMENT ? `${start.slice(0, FRAGMENT)}…` : start, hit: false }],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toTranscription(row: Row): Transcription {
  const light = { ...row, partsDone: row.transcribed.length, beginning: row.text.slice(0, 200) }
  return { ...toRow(light), text: row.text, segments: row.segments }
}

export const own = (userId: string, id: string) => and(eq(transcriptions.id, id), eq(transcriptions.userId, userId))

export const transcriptionNotFound = () => notFound('У вас нет расшифровки с таким ID')

/** The full-text index of the title and the text. */
export const searchOf = (title: string, text: string) => searchVector(`${title}\n${text}`)

/** Publishes to all pages of the owner, after the commit. */
export function publishTranscription(
  publish: Publish,
  userId: string,
  id: string,
  type: 'changed' | 'removed' = 'changed',
): void {
  afterCommit(() => publish(userId, { topic: 'transcriptions', type, data: { id } }))
}

export function publishBalance(publish: Publish, userId: string): void {
  afterCommit(() => publish(userId, { topic: 'profile', type: 'balance', data: null }))
}
