import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, count, eq, isNull, notInArray, sum } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import { type Attachment, IMAGE_SYMBOLS, MAX_CHAT_BYTES, MAX_FILE_BYTES, MAX_UNREAD_FILES } from '#contract/files.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { files } from '#server/db/schema.ts'
import { safeFileName } from '#server/files/file-name.ts'
import { shrinkImage } from '#server/files/image.ts'
import { receiveUpload } from '#server/files/receive.ts'
import { SCAN } from '#server/files/rejections.ts'
import { documents, type FileType } from '#server/files/types.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile, Storage } from '#server/storage/storage.ts'
import { deleteBytes, deleteFile, fileAsText, getFile, UPLOADS } from './files.ts'
import { type FileReadingDeps, readUploaded } from './reading.ts'

export type UploadDeps = FileReadingDeps

/** How long the response waits for a document to be read; a page polls the state of a larger one. */
const WAIT_MS = 3000

export interface Destination {
  libraryId: string | null
  /** The owner agreed to pay for embeddings beyond the free symbols of the month. */
  mayCharge?: boolean
  /** Throws unless so many more bytes fit; checked before the upload and again when it is stored. */
  checkStorageLimit: (db: Db, bytes: number) => Promise<void>
}

const chatDestination = (userId: string): Destination => ({
  libraryId: null,
  checkStorageLimit: (db, bytes) => checkChatStorage(db, userId, bytes),
})

/** Receives, recognises, stores and reads a file. If the client disconnects, the file is deleted. */
export function createUpload(deps: UploadDeps, atOnce = MAX_UNREAD_FILES) {
  const uploading = new Map<string, number>()

  return async (ctx: Ctx, request: Request, to: Destination = chatDestination(ctx.user.id)): Promise<Attachment> => {
    const already = uploading.get(ctx.user.id) ?? 0
    if (already >= atOnce) throw tooManyAtOnce(atOnce)
    uploading.set(ctx.user.id, already + 1)
    try {
      await to.checkStorageLimit(ctx.db, 1)
      return await acceptUpload(ctx, deps, request, to)
    } finally {
      const left = (uploading.get(ctx.user.id) ?? 1) - 1
      if (left > 0) uploading.set(ctx.user.id, left)
      else uploading.delete(ctx.user.id)
    }
  }
}

async function acceptUpload(ctx: Ctx, deps: UploadDeps, request: Request, to: Destination): Promise<Attachment> {
  const { signal } = request
  const { name, local } = await receiveUpload(request, deps.incoming, MAX_FILE_BYTES)
  try {
    const fileName = safeFileName(name)
    // Loaded with the first file.
    const { recogniseFile } = await import('#server/files/recognise.ts')
    const type = await recogniseFile(local, fileName)
    const { libraryId, mayCharge = false } = to
    const { content, ...typed } =
      type.kind === 'image' ? await shrinkImage(local, type.mime, signal) : { ...type, content: local }
    const state = firstState(typed.kind, libraryId)
    const file = { ...typed, ...state, name: fileName, libraryId, mayCharge }
    const id = await storeFile(ctx, deps.storage, content, file, to.checkStorageLimit)
    // The progress of a library's file is published as events, so its upload does not wait.
    if (to.libraryId !== null) void readInBackground(deps, id, ctx.user.id)
    else {
      if (type.kind === 'document') await readForAWhile(deps, id, ctx.user.id, signal)
      if (signal.aborted) await deleteFile(ctx, deps.storage, id)
    }
    return await getFile(ctx, id)
  } finally {
    await rm(local.path, { force: true })
  }
}

/** A library searches texts, so a photo waits for its owner to have it read. */
function firstState(kind: FileType['kind'], libraryId: string | null): Pick<NewFile, 'state'> & Partial<NewFile> {
  if (kind === 'document') return { state: 'uploaded' }
  if (libraryId === null) return { state: 'ready', progress: 100, symbols: IMAGE_SYMBOLS }
  return { state: 'failed', error: SCAN, needsReading: [1] }
}

/** Stores a generated text as a chat document that needs no reading. */
export async function storeText(
  ctx: Ctx,
  storage: Storage,
  { name, content: text }: { name: string; content: string },
): Promise<Attachment> {
  const { tidy } = await import('#server/files/text.ts')
  const content = tidy(text)
  const symbols = countSymbols(fileAsText(name, content))
  const file = { ...documents.txt, name, state: 'ready', progress: 100, symbols, content } as const
  const { checkStorageLimit } = chatDestination(ctx.user.id)
  const id = await storeFile(ctx, storage, Buffer.from(content), file, checkStorageLimit)
  return getFile(ctx, id)
}

/** A file that does not come by an upload, such as one of an imported archive. */
export interface KnownFile {
  name: string
  type: FileType
  content: LocalFile | Uint8Array
  /** Set for what needs no reading. */
  text?: string
}

export async function knownText({ name, content }: { name: string; content: string }): Promise<KnownFile> {
  const { MAX_SYMBOLS, tidy } = await import('#server/files/text.ts')
  const text = tidy(content).slice(0, MAX_SYMBOLS)
  return { name: safeFileName(name), type: documents.txt, content: Buffer.from(text), text }
}

/** Stores the bytes of a file of a library. The caller inserts the returned row, or deletes the bytes again. */
export async function putLibraryFile(storage: Storage, userId: string, { name, type, content, text }: KnownFile) {
  const id = newId()
  const storageKey = `${UPLOADS}/${id}`
  const bytes = 'path' in content ? content.bytes : content.length
  await storage.put(storageKey, content, type.mime)
  const read = text === undefined ? {} : { content: text, symbols: countSymbols(fileAsText(name, text)) }
  return { ...type, ...firstState(type.kind, id), ...read, id, userId, name, storageKey, bytes }
}

type NewFile = Omit<typeof files.$inferInsert, 'id' | 'userId' | 'bytes' | 'storageKey'>

/** Writes the bytes before the row, so that a row never names missing bytes. */
async function storeFile(
  ctx: Ctx,
  storage: Storage,
  content: LocalFile | Uint8Array,
  file: NewFile,
  checkLimit: Destination['checkStorageLimit'],
): Promise<string> {
  const id = newId()
  const storageKey = `${UPLOADS}/${id}`
  const bytes = 'path' in content ? content.bytes : content.length
  await storage.put(storageKey, content, file.mime)
  try {
    await ctx.db.transaction(async (tx) => {
      await lockUser(tx, ctx.user.id)
      await checkLimit(tx, bytes)
      await tx.insert(files).values({ ...file, id, userId: ctx.user.id, storageKey, bytes })
    })
  } catch (error) {
    await deleteBytes(storage, storageKey)
    throw error
  }
  return id
}

async function checkChatStorage(db: Db, userId: string, bytes: number): Promise<void> {
  const own = and(eq(files.userId, userId), isNull(files.libraryId))
  const [stored] = await db
    .select({ bytes: sum(files.bytes).mapWith(Number) })
    .from(files)
    .where(own)
  if ((stored?.bytes ?? 0) + bytes > MAX_CHAT_BYTES)
    throw new AppError(
      'payload_too_large',
      `Ваши файлы в чатах занимают ${MAX_CHAT_BYTES / 1024 / 1024} МБ, больше не помещается. Удалите чаты с файлами, которые больше не нужны.`,
    )
  const [unread] = await db
    .select({ files: count() })
    .from(files)
    .where(and(own, notInArray(files.state, ['ready', 'failed'])))
  if ((unread?.files ?? 0) >= MAX_UNREAD_FILES) throw tooManyAtOnce(MAX_UNREAD_FILES)
}

const tooManyAtOnce = (most: number) =>
  new AppError('too_many_requests', `Сразу читается не больше ${most} ваших файлов. Подождите, пока они прочитаются.`)

export const readInBackground = (deps: UploadDeps, id: string, userId: string) =>
  readUploaded(deps, id, userId).catch((error: unknown) => deps.log.error({ err: error }, 'files: reading failed'))

async function readForAWhile(deps: UploadDeps, id: string, userId: string, signal: AbortSignal): Promise<void> {
  await Promise.race([
    readInBackground(deps, id, userId),
    sleep(WAIT_MS, undefined, { signal, ref: false }).catch(() => undefined),
  ])
}
