import { rm } from 'node:fs/promises'
import { and, count, eq, inArray, sql, sum } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  MAX_RECORDING_BYTES,
  MAX_RECORDINGS_BYTES,
  MAX_UNFINISHED_RECORDINGS,
  type Transcription,
  TranscriptionOptions,
  transcriptionsApi,
  UPLOAD_CHUNK_BYTES,
  type UploadDraft,
  type UploadProgress,
} from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { transcriptions } from '#server/db/schema.ts'
import { safeFileName } from '#server/files/file-name.ts'
import { receiveUpload } from '#server/files/receive.ts'
import type { Ctx } from '#server/http/context.ts'
import { checkInput } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { checkHead, measureRecording, queueRecording } from './accept.ts'
import { chunkKeyOf, deleteChunks, recordingChunks } from './chunks.ts'
import { namedLength, pickSpeechModel, requireSymbols } from './money.ts'
import type { TranscriptionRouteDeps } from './queue.ts'
import {
  allColumns,
  ownTranscription,
  publishTranscription,
  type Row,
  toTranscription,
  transcriptionNotFound,
} from './rows.ts'
import { readRow } from './transcriptions.ts'

const optionNames = z.keyof(TranscriptionOptions).options

/** Uploads a recording in one request and queues it. */
export async function createTranscription(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  request: Request,
): Promise<Transcription> {
  await checkRecordingStorage(ctx.db, ctx.user.id, 1)
  await requireSymbols(ctx)
  const { name, local, fields } = await receiveUpload(request, deps.incoming, MAX_RECORDING_BYTES, optionNames)
  try {
    const options = checkInput(TranscriptionOptions, Object.fromEntries(fields), transcriptionsApi.create.path)
    const draft = { ...options, name, bytes: local.bytes }
    const row = await startRow(ctx, draft, local.bytes)
    return await storeWhole(ctx, deps, row, local)
  } finally {
    await rm(local.path, { force: true })
  }
}

async function storeWhole(ctx: Ctx, deps: TranscriptionRouteDeps, row: Row, local: LocalFile): Promise<Transcription> {
  try {
    await deps.storage.put(chunkKeyOf(row, 0), local, 'application/octet-stream')
    return await queueRecording(ctx, deps, row, await measureRecording(deps, row))
  } catch (error) {
    await discardUpload(ctx, deps, row)
    throw error
  }
}

/** A repeated call with the same id returns how far the upload is; until its end the model may be another. */
export async function beginUpload(ctx: Ctx, draft: UploadDraft): Promise<UploadProgress> {
  const begun = draft.id === undefined ? null : await findBegun(ctx, draft.id)
  if (begun) return progressOf(await withOptions(ctx, begun, draft))
  await requireSymbols(ctx)
  return progressOf(await startRow(ctx, draft, UPLOAD_CHUNK_BYTES))
}

async function findBegun({ db, user }: Ctx, id: string): Promise<Row | null> {
  const [row] = await db.select(allColumns).from(transcriptions).where(eq(transcriptions.id, id))
  if (row && row.userId !== user.id) throw new AppError('conflict', 'Этот номер занят', { field: 'id' })
  return row ?? null
}

async function withOptions(ctx: Ctx, begun: Row, { modelId, language }: UploadDraft): Promise<Row> {
  if (begun.state !== 'uploading') return begun
  const model = await pickSpeechModel(ctx, modelId)
  const [changed] = await ctx.db
    .update(transcriptions)
    .set({ modelId: model.id, language: language ?? null })
    .where(and(ownTranscription(ctx.user.id, begun.id), eq(transcriptions.state, 'uploading')))
    .returning(allColumns)
  return changed ?? begun
}

export async function uploadedSoFar(ctx: Ctx, id: string): Promise<UploadProgress> {
  return progressOf(await findUpload(ctx.db, ctx.user.id, id))
}

/** Stores the next chunk if it is complete. For a chunk that is already stored, returns the offset to continue from. */
export async function putChunk(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  id: string,
  offset: number,
  body: AsyncIterable<Uint8Array>,
): Promise<UploadProgress> {
  const row = await findUpload(ctx.db, ctx.user.id, id)
  const checkFirst = (first: LocalFile) => discardIfRejected(ctx, deps, row, () => checkHead(deps, first, row.bytes))
  const received = await recordingChunks.receive(deps, row, offset, body, checkFirst)
  if (received === null) return progressOf(row)
  await ctx.db
    .update(transcriptions)
    .set({ received, updatedAt: sql`now()` })
    .where(
      and(
        ownTranscription(ctx.user.id, id),
        eq(transcriptions.received, offset),
        eq(transcriptions.state, 'uploading'),
      ),
    )
  return uploadedSoFar(ctx, id)
}

/** Deletes the upload when the check rejects the file, so that the client need not send the rest. */
async function discardIfRejected<Result>(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  row: Row,
  checkFile: () => Promise<Result>,
) {
  try {
    return await checkFile()
  } catch (error) {
    if (error instanceof AppError) await discardUpload(ctx, deps, row)
    throw error
  }
}

/** A recording that costs more than the page named waits for another call, with what was uploaded. */
export async function finishUpload(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  id: string,
  most: number | undefined,
): Promise<Transcription> {
  const row = await readRow(ctx, id)
  // A client that lost the response repeats the call.
  if (row.state !== 'uploading') return toTranscription(row)
  if (row.received < row.bytes)
    throw new AppError('conflict', `Пришло ${row.received} байт из ${row.bytes}: загрузите остальное.`)
  const measured = await discardIfRejected(ctx, deps, row, () => measureRecording(deps, row))
  if (most === undefined) return queueRecording(ctx, deps, row, measured)
  const model = await pickSpeechModel(ctx, row.modelId ?? undefined)
  await ctx.db
    .update(transcriptions)
    .set({ durationMs: measured.durationMs })
    .where(and(ownTranscription(ctx.user.id, id), eq(transcriptions.state, 'uploading')))
  const durationMs = namedLength({ ...row, ...measured }, model, most)
  return queueRecording(ctx, deps, row, { ...measured, durationMs })
}

async function startRow(ctx: Ctx, draft: UploadDraft, chunkBytes: number): Promise<Row> {
  const model = await pickSpeechModel(ctx, draft.modelId)
  const id = draft.id ?? newId()
  const fileName = safeFileName(draft.name)
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, ctx.user.id)
    await checkRecordingStorage(tx, ctx.user.id, draft.bytes)
    const [row] = await tx
      .insert(transcriptions)
      .values({
        id,
        userId: ctx.user.id,
        title: draft.title ?? titleOf(fileName),
        fileName,
        bytes: draft.bytes,
        chunkBytes,
        storageKey: id,
        modelId: model.id,
        language: draft.language ?? null,
        state: 'uploading',
      })
      .onConflictDoNothing()
      .returning(allColumns)
    if (!row) throw new AppError('conflict', 'Эта загрузка уже начата', { field: 'id' })
    publishTranscription(ctx.publish, ctx.user.id, id)
    return row
  })
}

const titleOf = (fileName: string) => fileName.replace(/\.[\p{L}\p{N}]{1,10}$/u, '').trim() || fileName

async function findUpload(db: Db, userId: string, id: string): Promise<Row> {
  const [row] = await db
    .select(allColumns)
    .from(transcriptions)
    .where(and(ownTranscription(userId, id), eq(transcriptions.state, 'uploading')))
  if (!row) throw transcriptionNotFound()
  return row
}

async function discardUpload(ctx: Ctx, { storage }: TranscriptionRouteDeps, row: Row): Promise<void> {
  await ctx.db.delete(transcriptions).where(ownTranscription(ctx.user.id, row.id))
  await deleteChunks(storage, row)
  publishTranscription(ctx.publish, ctx.user.id, row.id, 'removed')
}

const progressOf = ({ id, received, bytes, chunkBytes }: Row): UploadProgress => ({ id, received, bytes, chunkBytes })

async function checkRecordingStorage(db: Db, userId: string, bytes: number): Promise<void> {
  const [stored] = await db
    .select({ bytes: sum(transcriptions.bytes).mapWith(Number) })
    .from(transcriptions)
    .where(eq(transcriptions.userId, userId))
  if ((stored?.bytes ?? 0) + bytes > MAX_RECORDINGS_BYTES)
    throw new AppError(
      'payload_too_large',
      `Ваши записи занимают ${MAX_RECORDINGS_BYTES / 1024 ** 3} ГБ, больше не помещается. Удалите те, что больше не нужны.`,
    )
  const unfinished = inArray(transcriptions.state, ['uploading', 'queued', 'working'])
  const [waiting] = await db
    .select({ recordings: count() })
    .from(transcriptions)
    .where(and(eq(transcriptions.userId, userId), unfinished))
  if ((waiting?.recordings ?? 0) >= MAX_UNFINISHED_RECORDINGS)
    throw new AppError(
      'too_many_requests',
      `Сразу обрабатывается не больше ${MAX_UNFINISHED_RECORDINGS} записей. Дождитесь их.`,
    )
}
