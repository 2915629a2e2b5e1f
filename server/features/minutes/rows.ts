import { and, eq } from 'drizzle-orm'
import { type MinutesDocument, MinutesKind } from '#contract/minutes.ts'
import type { Db } from '#server/db/client.ts'
import { minutes } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { type SpokenRecording, spokenRecording } from '../transcriptions/spoken-lines.ts'

export type Row = typeof minutes.$inferSelect

export interface Recording extends SpokenRecording {
  id: string
}

/** A finished recording of the user, line by line. */
export const readRecording = async (db: Db, userId: string, id: string): Promise<Recording> => ({
  id,
  ...(await spokenRecording({ db, user: { id: userId } }, id)),
})

const noSuchDocument = () => notFound('Такого документа у этой записи нет')

export function kindOf(name: string): MinutesKind {
  const { data } = MinutesKind.safeParse(name)
  if (!data) throw noSuchDocument()
  return data
}

export const ownDocument = (userId: string, transcriptionId: string, kind: MinutesKind) =>
  and(eq(minutes.userId, userId), eq(minutes.transcriptionId, transcriptionId), eq(minutes.kind, kind))

export async function readDocument(db: Db, userId: string, transcriptionId: string, kind: MinutesKind): Promise<Row> {
  const [row] = await db
    .select()
    .from(minutes)
    .where(ownDocument(userId, transcriptionId, kind))
  if (!row) throw noSuchDocument()
  return row
}

/** `source` is that of the recording as it is now. */
export function toDocument(row: Row, source: string | null): MinutesDocument {
  const { kind, state, text, edited, version, modelId, charged, stepsDone, stepsTotal, errorCode, errorMessage } = row
  return {
    ...{ kind, status: state, text, edited, version, modelId, charged, stepsDone, stepsTotal },
    outdated: text !== '' && source !== null && row.source !== null && row.source !== source,
    error: state === 'failed' ? { code: errorCode ?? 'unknown', message: errorMessage ?? '' } : null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** To all pages of the owner, after the commit. The recording itself has not changed. */
export function publishMinutes(publish: Publish, { userId, transcriptionId }: Pick<Row, 'userId' | 'transcriptionId'>) {
  afterCommit(() => publish(userId, { topic: 'transcriptions', type: 'minutes', data: { id: transcriptionId } }))
}
