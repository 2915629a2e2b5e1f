import { and, count, eq, isNotNull, sum } from 'drizzle-orm'
import { type AssistantFile, MAX_ASSISTANT_BYTES, MAX_ASSISTANT_FILES } from '#contract/assistants.ts'
import type { Db } from '#server/db/client.ts'
import { assistants, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteBytes } from '../files/files.ts'
import { indexAgain, retryFile } from '../files/reading.ts'
import { createUpload, type Destination, type UploadDeps } from '../files/upload.ts'
import { agreeToPrice, settleDeletedFiles } from '../knowledge/allowance.ts'
import { assistantNotFound, ownAssistant, publishAssistant } from './assistants.ts'

export function createAddFile(deps: UploadDeps) {
  const upload = createUpload(deps, MAX_ASSISTANT_FILES)
  return async (ctx: Ctx, id: string, request: Request, mayCharge = false): Promise<AssistantFile> => {
    const file = await upload(ctx, request, { ...assistantDestination(ctx.user.id, id), mayCharge })
    publishAssistant(ctx, id)
    return file
  }
}

const assistantDestination = (userId: string, assistantId: string): Destination => ({
  assistantId,
  checkStorageLimit: (db, bytes) => checkAssistantStorage(db, userId, assistantId, bytes),
})

/** Locks the assistant, so that it is not deleted while a file is added. */
async function checkAssistantStorage(db: Db, userId: string, assistantId: string, bytes: number): Promise<void> {
  const [assistant] = await db
    .select({ id: assistants.id })
    .from(assistants)
    .where(ownAssistant(userId, assistantId))
    .for('key share')
  if (!assistant) throw assistantNotFound()
  const [own] = await db.select({ files: count() }).from(files).where(eq(files.assistantId, assistantId))
  if ((own?.files ?? 0) >= MAX_ASSISTANT_FILES) {
    throw new AppError(
      'conflict',
      `У ассистента может быть не больше ${MAX_ASSISTANT_FILES} файлов. Уберите лишние или соедините несколько в один.`,
    )
  }
  const [all] = await db
    .select({ bytes: sum(files.bytes).mapWith(Number) })
    .from(files)
    .where(and(eq(files.userId, userId), isNotNull(files.assistantId)))
  if ((all?.bytes ?? 0) + bytes > MAX_ASSISTANT_BYTES) {
    throw new AppError(
      'payload_too_large',
      `Файлы ваших ассистентов занимают ${MAX_ASSISTANT_BYTES / 1024 / 1024} МБ, больше не помещается. Уберите те, что больше не нужны.`,
    )
  }
}

export async function removeAssistantFile(
  ctx: Ctx,
  storage: Storage,
  id: string,
  fileId: string,
): Promise<{ id: string }> {
  const [deleted] = await ctx.db.transaction(async (tx) => {
    await settleDeletedFiles(tx, ctx.user.id, ownFile(ctx, id, fileId))
    return tx
      .delete(files)
      .where(ownFile(ctx, id, fileId))
      .returning({ key: files.storageKey })
  })
  if (!deleted) throw fileNotFound()
  publishAssistant(ctx, id)
  await deleteBytes(storage, deleted.key)
  return { id: fileId }
}

export async function retryAssistantFile(ctx: Ctx, deps: UploadDeps, id: string, fileId: string) {
  await checkOwnFile(ctx, id, fileId)
  return retryFile(ctx, deps, fileId)
}

/** Pays for the vectors of a file that is searchable by words only, and indexes it again. */
export async function payAssistantFile(ctx: Ctx, deps: UploadDeps, id: string, fileId: string) {
  await checkOwnFile(ctx, id, fileId)
  await agreeToPrice(ctx.db, deps.knowledge, fileId)
  ctx.publish(ctx.user.id, { topic: 'profile', type: 'balance', data: null })
  return indexAgain(ctx, deps, fileId)
}

async function checkOwnFile(ctx: Ctx, id: string, fileId: string): Promise<void> {
  if ((await ctx.db.$count(files, ownFile(ctx, id, fileId))) === 0) throw fileNotFound()
}

const fileNotFound = () => notFound('У ассистента нет такого файла')

const ownFile = ({ user }: Ctx, assistantId: string, id: string) =>
  and(eq(files.id, id), eq(files.assistantId, assistantId), eq(files.userId, user.id))
