import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { RetryOptions, Transcription, TranscriptionChange } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteChunks } from './chunks.ts'
import { textOf } from './join.ts'
import { assertNamedPrice, pickSpeechModel, settleStopped, transcribedMs } from './money.ts'
import type { TranscriptionRouteDeps, Transcriptions } from './queue.ts'
import {
  allColumns,
  ownTranscription,
  publishBalance,
  publishTranscription,
  type Row,
  searchOf,
  toTranscription,
  transcriptionNotFound,
} from './rows.ts'
import { changeSpeakers, correctedSegments, resolver } from './speakers.ts'

/** Whose recordings are read, also by work without a request. */
export interface RecordingOwner {
  db: Db
  user: { id: string }
}

export async function readRow({ db, user }: RecordingOwner, id: string): Promise<Row> {
  const [row] = await db.select(allColumns).from(transcriptions).where(ownTranscription(user.id, id))
  if (!row) throw transcriptionNotFound()
  return row
}

export const getTranscription = async (ctx: Ctx, id: string) => toTranscription(await readRow(ctx, id))

/** Renames, corrects, names speakers, or restores the model's text, which is stored at the first correction. */
export async function changeTranscription(ctx: Ctx, id: string, change: TranscriptionChange): Promise<Transcription> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select(allColumns)
      .from(transcriptions)
      .where(ownTranscription(ctx.user.id, id))
      .for('update')
    if (!row) throw transcriptionNotFound()
    const title = change.title ?? row.title
    const corrected = correction(row, change)
    const speakers = change.speakers ? changeSpeakers(row.speakers, change.speakers) : row.speakers
    const [changed] = await tx
      .update(transcriptions)
      .set({
        title,
        speakers,
        ...corrected,
        search: searchOf(title, corrected.text ?? row.text),
        updatedAt: sql`now()`,
      })
      .where(ownTranscription(ctx.user.id, id))
      .returning(allColumns)
    if (!changed) throw transcriptionNotFound()
    publishTranscription(ctx.publish, ctx.user.id, id)
    return toTranscription(changed)
  })
}

function correction(
  row: Row,
  change: TranscriptionChange,
): Partial<Pick<Row, 'text' | 'segments' | 'edited' | 'original'>> {
  const isText = change.text !== undefined || change.segments !== undefined || change.original === true
  if (!isText) return {}
  if (row.state !== 'ready') throw new AppError('conflict', 'Текста ещё нет: дождитесь конца расшифровки.')
  if (change.original) return row.original ? { ...row.original, original: null, edited: false } : {}
  const original = row.original ?? { text: row.text, segments: row.segments }
  if (change.segments) {
    const segments = correctedSegments(change.segments, row.segments, row.speakers)
    return { segments, text: textOf(segments, resolver(row.speakers)), original, edited: true }
  }
  return { text: change.text ?? row.text, segments: null, original, edited: true }
}

/** Continues where the last try ended; another model or language starts from the beginning. */
export async function retryTranscription(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  id: string,
  options: RetryOptions,
): Promise<Transcription> {
  const row = await readRow(ctx, id)
  if (row.state !== 'failed') throw new AppError('conflict', 'Повторить можно то, что не получилось.')
  const model = await pickSpeechModel(ctx, options.modelId ?? (await modelIfUsable(ctx, row.modelId)))
  const language = options.language ?? row.language
  const isSame = model.id === row.modelId && language === row.language
  assertNamedPrice(isSame ? row : { ...row, ...anew }, model, options.most)
  const [queued] = await ctx.db
    .update(transcriptions)
    .set({
      state: 'queued',
      modelId: model.id,
      language,
      crashes: 0,
      hold: null,
      errorCode: null,
      errorMessage: null,
      // Seconds paid for are not charged again, unless another model transcribes them.
      ...(isSame ? { sentMs: transcribedMs(row.transcribed) } : anew),
      updatedAt: sql`now()`,
    })
    .where(and(ownTranscription(ctx.user.id, id), eq(transcriptions.state, 'failed')))
    .returning(allColumns)
  if (!queued) throw new AppError('conflict', 'Эта запись уже в работе.')
  publishTranscription(ctx.publish, ctx.user.id, id)
  deps.transcriptionQueue.wake()
  return toTranscription(queued)
}

const anew = { transcribed: [], plan: null, operation: null, progress: 0, sentMs: 0, paid: 0 }

async function modelIfUsable(ctx: Ctx, modelId: string | null): Promise<string | undefined> {
  return modelId === null
    ? undefined
    : pickSpeechModel(ctx, modelId).then(
        ({ id }) => id,
        () => undefined,
      )
}

/** Charges the seconds sent to the provider, and stores the parts transcribed so far for a retry. */
export async function stopTranscription(ctx: Ctx, deps: TranscriptionRouteDeps, id: string): Promise<Transcription> {
  const stopped = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(transcriptions)
      .set({ state: 'failed', errorCode: 'stopped', errorMessage: 'Расшифровка остановлена.', updatedAt: sql`now()` })
      .where(and(ownTranscription(ctx.user.id, id), inArray(transcriptions.state, ['queued', 'working'])))
      .returning(allColumns)
    if (!row) return null
    const { charged, paid } = await settleStopped(tx, row)
    const [settled] = await tx
      .update(transcriptions)
      .set({ charged: row.charged + charged, paid, hold: null })
      .where(eq(transcriptions.id, id))
      .returning(allColumns)
    publishTranscription(ctx.publish, ctx.user.id, id)
    publishBalance(ctx.publish, ctx.user.id)
    return settled ?? row
  })
  deps.transcriptionQueue.cancel(id)
  return stopped ? toTranscription(stopped) : getTranscription(ctx, id)
}

export async function deleteTranscription(ctx: Ctx, deps: TranscriptionRouteDeps, id: string): Promise<{ id: string }> {
  const deleted = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.delete(transcriptions).where(ownTranscription(ctx.user.id, id)).returning(allColumns)
    if (!row) throw transcriptionNotFound()
    await settleStopped(tx, row)
    publishTranscription(ctx.publish, ctx.user.id, id, 'removed')
    publishBalance(ctx.publish, ctx.user.id)
    return row
  })
  deps.transcriptionQueue.cancel(id)
  await deleteChunks(deps.storage, deleted)
  return { id }
}

const ABANDONED_DAYS = 7

export const transcriptionJobs = ({ db, storage }: Pick<Transcriptions, 'storage'> & { db: Db }): Job[] => [
  {
    name: 'clean-recordings',
    cron: '11 4 * * *',
    run: () => deleteAbandonedUploads(db, storage),
    limitSeconds: 4 * 3600,
  },
]

export async function deleteAbandonedUploads(db: Db, storage: Storage): Promise<void> {
  const isOld = lt(transcriptions.updatedAt, sql`now() - make_interval(days => ${ABANDONED_DAYS})`)
  const deleted = await db
    .delete(transcriptions)
    .where(and(eq(transcriptions.state, 'uploading'), isOld))
    .returning(allColumns)
  for (const row of deleted) await deleteChunks(storage, row)
}
