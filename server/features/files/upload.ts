import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, count, eq, isNull, notInArray, sum } from 'drizzle-orm'
import { type Attachment, IMAGE_SYMBOLS, MAX_CHAT_BYTES, MAX_FILE_BYTES, MAX_UNREAD_FILES } from '#contract/files.ts'
import type { Db } from '#server/db/client.ts'
import { files, users } from '#server/db/schema.ts'
import { safeFileName } from '#server/files/file-name.ts'
import { readUpload } from '#server/files/multipart.ts'
import { receive, tooLarge } from '#server/files/receive.ts'
import { recognise } from '#server/files/recognise.ts'
import { shrinkPicture } from '#server/files/shrink-picture.ts'
import type { FileType } from '#server/files/types.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { deleteFile, forgetBytes, getFile } from './files.ts'
import { type FileReadingDeps, readFresh } from './reading.ts'
import { UPLOADS } from './rows.ts'

export type UploadDeps = FileReadingDeps

/** A small document is read while its sender waits; a large one is asked about again. */
const WAIT_MS = 3000
/** What a multipart body has around its file. */
const WRAPPING_BYTES = 16 * 1024

/** Where a file goes. */
export interface Destination {
  assistantId: string | null
  /** Its owner agreed beforehand to pay for what goes beyond the free symbols of the month. */
  mayCharge?: boolean
  /** Throws unless so many more bytes fit; asked before they come, and again when they are kept. */
  checkStorageLimit: (db: Db, bytes: number) => Promise<void>
  /** Throws for what is of no use there. */
  checkType?: (type: FileType) => void
}

const toChats = (userId: string): Destination => ({
  assistantId: null,
  checkStorageLimit: (db, bytes) => checkStorageLimit(db, userId, bytes),
})

/** Takes a file: received, recognised, kept, and read if that is quick. Whoever leaves leaves nothing behind. */
export function createUpload(deps: UploadDeps, atOnce = MAX_UNREAD_FILES) {
  const coming = new Map<string, number>()

  return async (ctx: Ctx, request: Request, to: Destination = toChats(ctx.user.id)): Promise<Attachment> => {
    const already = coming.get(ctx.user.id) ?? 0
    if (already >= atOnce) throw tooManyAtOnce(atOnce)
    coming.set(ctx.user.id, already + 1)
    try {
      await to.checkStorageLimit(ctx.db, 1)
      return await take(ctx, deps, request, to)
    } finally {
      const left = (coming.get(ctx.user.id) ?? 1) - 1
      if (left > 0) coming.set(ctx.user.id, left)
      else coming.delete(ctx.user.id)
    }
  }
}

async function take(ctx: Ctx, deps: UploadDeps, request: Request, to: Destination): Promise<Attachment> {
  const { signal } = request
  if (Number(request.headers.get('content-length')) > MAX_FILE_BYTES + WRAPPING_BYTES) throw tooLarge(MAX_FILE_BYTES)
  const { name, content } = await readUpload(
    request.headers.get('content-type') ?? undefined,
    request.body ?? nothing(),
  )
  const local = await receive(content, deps.incoming, MAX_FILE_BYTES)
  try {
    const fileName = safeFileName(name)
    const type = await recognise(local, fileName)
    to.checkType?.(type)
    const { content: kept, ...shape } =
      type.kind === 'image' ? await shrinkPicture(local, type.mime, signal) : { ...type, content: local }
    const id = await keep(ctx, deps, kept, { ...shape, name: fileName }, to)
    // Of an assistant's files their owner is told how far they are, so he need not wait here.
    if (to.assistantId !== null) void readInBackground(deps, id, ctx.user.id)
    else {
      if (type.kind === 'document') await readForAWhile(deps, id, ctx.user.id, signal)
      if (signal.aborted) await deleteFile(ctx, deps.storage, id)
    }
    return await getFile(ctx, id)
  } finally {
    await rm(local.path, { force: true })
  }
}

/** The bytes first: a row never names what is not there. Bytes that no row names are collected. */
async function keep(
  ctx: Ctx,
  { storage }: UploadDeps,
  content: LocalFile | Uint8Array,
  file: FileType & { name: string },
  { assistantId, mayCharge = false, checkStorageLimit }: Destination,
): Promise<string> {
  const id = newId()
  const storageKey = `${UPLOADS}/${id}`
  const done = { state: 'ready', progress: 100, symbols: IMAGE_SYMBOLS } as const
  const bytes = 'path' in content ? content.bytes : content.length
  await storage.put(storageKey, content, file.mime)
  try {
    await ctx.db.transaction(async (tx) => {
      // One after another for one person, so that parallel files do not each find the same room.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, ctx.user.id)).for('no key update')
      await checkStorageLimit(tx, bytes)
      const row = { id, userId: ctx.user.id, assistantId, mayCharge, storageKey, bytes, ...file }
      await tx.insert(files).values(file.kind === 'image' ? { ...row, ...done } : { ...row, state: 'uploaded' })
    })
  } catch (error) {
    await forgetBytes(storage, storageKey)
    throw error
  }
  return id
}

export async function checkStorageLimit(db: Db, userId: string, bytes: number): Promise<void> {
  const own = and(eq(files.userId, userId), isNull(files.assistantId))
  const [kept] = await db
    .select({ bytes: sum(files.bytes).mapWith(Number) })
    .from(files)
    .where(own)
  if ((kept?.bytes ?? 0) + bytes > MAX_CHAT_BYTES)
    throw new AppError(
      'payload_too_large',
      `Ваши файлы в чатах занимают ${MAX_CHAT_BYTES / 1024 / 1024} МБ, больше не помещается. Удалите беседы с файлами, которые больше не нужны.`,
    )
  const [unread] = await db
    .select({ files: count() })
    .from(files)
    .where(and(own, notInArray(files.state, ['ready', 'failed'])))
  if ((unread?.files ?? 0) >= MAX_UNREAD_FILES) throw tooManyAtOnce(MAX_UNREAD_FILES)
}

const tooManyAtOnce = (most: number) =>
  new AppError('too_many_requests', `Сразу читается не больше ${most} ваших файлов. Подождите, пока они прочитаются.`)

const readInBackground = (deps: UploadDeps, id: string, userId: string) =>
  readFresh(deps, id, userId).catch((error: unknown) => deps.log.error({ err: error }, 'reading broke off'))

async function readForAWhile(deps: UploadDeps, id: string, userId: string, signal: AbortSignal): Promise<void> {
  await Promise.race([
    readInBackground(deps, id, userId),
    sleep(WAIT_MS, undefined, { signal, ref: false }).catch(() => undefined),
  ])
}

/** A request without a body. */
async function* nothing(): AsyncGenerator<Uint8Array> {}
