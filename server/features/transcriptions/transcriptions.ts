import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Transcription, TranscriptionChange, TranscriptionOptions } from '#contract/transcriptions.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { deleteChunks } from './chunks.ts'
import { textOf } from './join.ts'
import { settleStopped, transcribedMs } from './money.ts'
import type { TranscriptionRouteDeps } from './open.ts'
import {
  noSuch,
  own,
  publishBalance,
  publishTranscription,
  type Row,
  searchOf,
  toTranscription,
  wholeColumns,
} from './rows.ts'
import { pickSpeechModel } from './speech-models.ts'

export async function readRow({ db, user }: Ctx, id: string): Promise<Row> {
  const [row] = await db.select(wholeColumns).from(transcriptions).where(own(user.id, id))
  if (!row) throw noSuch()
  return row
}

export const getTranscription = async (ctx: Ctx, id: string) => toTranscription(await readRow(ctx, id))

/** Renames, corrects, or brings back what the model heard. What it heard is kept at the first correction. */
export async function changeTranscription(ctx: Ctx, id: string, change: TranscriptionChange): Promise<Transcription> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.select(wholeColumns).from(transcriptions).where(own(ctx.user.id, id)).for('update')
    if (!row) throw noSuch()
    const title = change.title ?? row.title
    const said = correction(row, change)
    const [changed] = await tx
      .update(transcriptions)
      .set({ title, ...said, search: searchOf(title, said.text ?? row.text), updatedAt: sql`now()` })
      .where(own(ctx.user.id, id))
      .returning(wholeColumns)
    if (!changed) throw noSuch()
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
  if (change.segments) return { segments: change.segments, text: textOf(change.segments), original, edited: true }
  return { text: change.text ?? row.text, segments: null, original, edited: true }
}

/** Another try, from where the last one ended; another model or language begins anew. */
export async function retryTranscription(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  id: string,
  options: TranscriptionOptions,
): Promise<Transcription> {
  const row = await readRow(ctx, id)
  if (row.state !== 'failed') throw new AppError('conflict', 'Повторить можно то, что не получилось.')
  const model = await pickSpeechModel(ctx, options.modelId ?? (await stillThere(ctx, row.modelId)))
  const language = options.language ?? row.language
  const isSame = model.id === row.modelId && language === row.language
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
      // What is paid for stays paid; another model has to listen anew.
      ...(isSame ? { askedMs: transcribedMs(row.transcribed) } : { transcribed: [], progress: 0, askedMs: 0, paid: 0 }),
      updatedAt: sql`now()`,
    })
    .where(and(own(ctx.user.id, id), eq(transcriptions.state, 'failed')))
    .returning(wholeColumns)
  if (!queued) throw new AppError('conflict', 'Эта запись уже в работе.')
  publishTranscription(ctx.publish, ctx.user.id, id)
  deps.transcriptionQueue.wake()
  return toTranscription(queued)
}

async function stillThere(ctx: Ctx, modelId: string | null): Promise<string | undefined> {
  return modelId === null
    ? undefined
    : pickSpeechModel(ctx, modelId).then(
        ({ id }) => id,
        () => undefined,
      )
}

/** What the provider was asked to listen to is paid; what was heard so far is kept for another try, which goes on from there. */
export async function stopTranscription(ctx: Ctx, deps: TranscriptionRouteDeps, id: string): Promise<Transcription> {
  const stopped = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(transcriptions)
      .set({ state: 'failed', errorCode: 'stopped', errorMessage: 'Расшифровка остановлена.', updatedAt: sql`now()` })
      .where(and(own(ctx.user.id, id), inArray(transcriptions.state, ['queued', 'working'])))
      .returning(wholeColumns)
    if (!row) return null
    const { charged, paid } = await settleStopped(tx, row)
    const [settled] = await tx
      .update(transcriptions)
      .set({ charged: row.charged + charged, paid, hold: null })
      .where(eq(transcriptions.id, id))
      .returning(wholeColumns)
    publishTranscription(ctx.publish, ctx.user.id, id)
    publishBalance(ctx.publish, ctx.user.id)
    return settled ?? row
  })
  deps.transcriptionQueue.cancel(id)
  return stopped ? toTranscription(stopped) : getTranscription(ctx, id)
}

export async function deleteTranscription(ctx: Ctx, deps: TranscriptionRouteDeps, id: string): Promise<{ id: string }> {
  const gone = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.delete(transcriptions).where(own(ctx.user.id, id)).returning(wholeColumns)
    if (!row) throw noSuch()
    await settleStopped(tx, row)
    publishTranscription(ctx.publish, ctx.user.id, id, 'removed')
    publishBalance(ctx.publish, ctx.user.id)
    return row
  })
  deps.transcriptionQueue.cancel(id)
  await deleteChunks(deps.storage, gone)
  return { id }
}
