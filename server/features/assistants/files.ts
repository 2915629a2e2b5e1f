import { and, count, eq, isNotNull, sum } from 'drizzle-orm'
import { type AssistantFile, MAX_ASSISTANT_BYTES, MAX_ASSISTANT_FILES } from '#contract/assistants.ts'
import type { Db } from '#server/db/client.ts'
import { assistants, files } from '#server/db/schema.ts'
import type { FileType } from '#server/files/types.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { forgetBytes } from '../files/files.ts'
import { indexAgain, retryFile } from '../files/reading.ts'
import { createUpload, type Destination, type UploadDeps } from '../files/upload.ts'
import { agreeToPrice, settleRemoved } from '../knowledge/allowance.ts'
import { publishAssistant } from './assistants.ts'
import { noAssistant, ownAssistant } from './to-assistant.ts'

export function createAddFile(deps: UploadDeps) {
  const upload = createUpload(deps, MAX_ASSISTANT_FILES)
  return async (ctx: Ctx, id: string, request: Request, mayCharge = false): Promise<AssistantFile> => {
    const file = await upload(ctx, request, { ...toAssistant(ctx.user.id, id), mayCharge })
    publishAssistant(ctx, id)
    return file
  }
}

const toAssistant = (userId: string, assistantId: string): Destination => ({
  assistantId,
  checkStorageLimit: (db, bytes) => checkStorageLimit(db, userId, assistantId, bytes),
  checkType,
})

function checkType({ kind }: FileType): void {
  if (kind === 'document') return
  throw new AppError(
    'bad_request',
    'Ассистент читает только документы: PDF, DOCX, XLSX, CSV, TXT, MD и HTML. Картинку приложите к сообщению в чате.',
  )
}

/** The assistant is held while a file is added, so that it is not deleted from under it. */
async function checkStorageLimit(db: Db, userId: string, assistantId: string, bytes: number): Promise<void> {
  const [assistant] = await db
    .select({ id: assistants.id })
    .from(assistants)
    .where(ownAssistant(userId, assistantId))
    .for('key share')
  if (!assistant) throw noAssistant()
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

export async function removeFile(ctx: Ctx, storage: Storage, id: string, fileId: string): Promise<{ id: string }> {
  const [gone] = await ctx.db.transaction(async (tx) => {
    await settleRemoved(tx, ctx.user.id, ownFile(ctx, id, fileId))
    return tx
      .delete(files)
      .where(ownFile(ctx, id, fileId))
      .returning({ key: files.storageKey })
  })
  if (!gone) throw noFile()
  publishAssistant(ctx, id)
  await forgetBytes(storage, gone.key)
  return { id: fileId }
}

/** Reads a file again that could not be read. */
export async function retryAssistantFile(ctx: Ctx, deps: UploadDeps, id: string, fileId: string) {
  const [file] = await ctx.db
    .select({ id: files.id })
    .from(files)
    .where(ownFile(ctx, id, fileId))
  if (!file) throw noFile()
  return retryFile(ctx, deps, fileId)
}

/** Pays for a file that is found by words only: it is indexed anew, now with its vectors. */
export async function payAssistantFile(ctx: Ctx, deps: UploadDeps, id: string, fileId: string) {
  const [file] = await ctx.db
    .select({ id: files.id })
    .from(files)
    .where(ownFile(ctx, id, fileId))
  if (!file) throw noFile()
  await agreeToPrice(ctx.db, deps.knowledge, fileId)
  ctx.publish(ctx.user.id, { topic: 'profile', type: 'balance', data: null })
  return indexAgain(ctx, deps, fileId)
}

const noFile = () => notFound('У ассистента нет такого файла')

const ownFile = ({ user }: Ctx, assistantId: string, id: string) =>
  and(eq(files.id, id), eq(files.assistantId, assistantId), eq(files.userId, user.id))
