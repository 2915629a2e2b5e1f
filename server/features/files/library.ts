import { and, asc, count, eq, inArray, isNotNull, sum } from 'drizzle-orm'
import {
  type AssistantFile,
  MAX_LIBRARY_BYTES,
  MAX_LIBRARY_FILES,
  PASSAGE_SYMBOLS,
  SEARCH_WORDS_SYMBOLS,
  WHOLE_SYMBOLS,
} from '#contract/assistants.ts'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { LibrarySymbols } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { agreeToPrice, settleDeletedFiles } from '../knowledge/allowance.ts'
import { attachmentColumns, deleteBytes, toAttachment } from './files.ts'
import { indexAgain, retryFile } from './reading.ts'
import { createUpload, type Destination, type UploadDeps } from './upload.ts'

/** Assistants and projects have libraries: files that are read, cut into passages and searched together. */
export interface LibraryKind {
  /** «У ассистента», «У проекта». */
  at: string
  /** Throws unless it is the user's own; locked, it is not deleted while a file is added. */
  lock: (db: Db, userId: string, id: string) => Promise<void>
  publish: (ctx: Ctx, id: string) => void
}

type OwnLibrary = Pick<LibraryKind, 'at' | 'publish'>

export function createAddFile(kind: LibraryKind, deps: UploadDeps) {
  const upload = createUpload(deps, MAX_LIBRARY_FILES)
  return async (ctx: Ctx, id: string, request: Request, mayCharge = false): Promise<AssistantFile> => {
    const file = await upload(ctx, request, { ...destinationIn(kind, ctx.user.id, id), mayCharge })
    kind.publish(ctx, id)
    return file
  }
}

const destinationIn = (kind: LibraryKind, userId: string, libraryId: string): Destination => ({
  libraryId,
  checkStorageLimit: async (db, bytes) => {
    await kind.lock(db, userId, libraryId)
    await checkLibraryStorage(db, kind, { userId, libraryId, bytes })
  },
})

async function checkLibraryStorage(
  db: Db,
  { at }: OwnLibrary,
  { userId, libraryId, bytes }: { userId: string; libraryId: string; bytes: number },
): Promise<void> {
  const [own] = await db.select({ files: count() }).from(files).where(eq(files.libraryId, libraryId))
  if ((own?.files ?? 0) >= MAX_LIBRARY_FILES) {
    throw new AppError(
      'conflict',
      `${at} может быть не больше ${MAX_LIBRARY_FILES} файлов. Уберите лишние или соедините несколько в один.`,
    )
  }
  if ((await libraryRoom(db, userId)) < bytes) {
    throw new AppError(
      'payload_too_large',
      `Файлы ваших ассистентов и проектов занимают ${MAX_LIBRARY_BYTES / 1024 / 1024} МБ, больше не помещается. Уберите те, что больше не нужны.`,
    )
  }
}

/** How many bytes fit into the libraries of a user. */
export async function libraryRoom(db: Db, userId: string): Promise<number> {
  const [all] = await db
    .select({ bytes: sum(files.bytes).mapWith(Number) })
    .from(files)
    .where(and(eq(files.userId, userId), isNotNull(files.libraryId)))
  return MAX_LIBRARY_BYTES - (all?.bytes ?? 0)
}

export async function removeLibraryFile(
  kind: OwnLibrary,
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
  if (!deleted) throw fileNotFound(kind)
  kind.publish(ctx, id)
  await deleteBytes(storage, deleted.key)
  return { id: fileId }
}

export async function retryLibraryFile(kind: OwnLibrary, ctx: Ctx, deps: UploadDeps, id: string, fileId: string) {
  await checkOwnFile(kind, ctx, id, fileId)
  return retryFile(ctx, deps, fileId)
}

/** Pays for the vectors of a file that is searchable by words only, and indexes it again. */
export async function payLibraryFile(kind: OwnLibrary, ctx: Ctx, deps: UploadDeps, id: string, fileId: string) {
  await checkOwnFile(kind, ctx, id, fileId)
  await agreeToPrice(ctx.db, deps.knowledge, fileId)
  ctx.publish(ctx.user.id, { topic: 'profile', type: 'balance', data: null })
  return indexAgain(ctx, deps, fileId)
}

/** Deletes the rows of these or all files; the caller deletes the bytes under the returned keys after the commit. */
export async function deleteLibraryFiles(
  db: Db,
  userId: string,
  libraryId: string,
  ids?: readonly string[],
): Promise<string[]> {
  const these = ids && inArray(files.id, [...ids])
  const own = and(eq(files.libraryId, libraryId), eq(files.userId, userId), these)
  await settleDeletedFiles(db, userId, own)
  const rows = await db.delete(files).where(own).returning({ key: files.storageKey })
  return rows.map(({ key }) => key)
}

async function checkOwnFile(kind: OwnLibrary, ctx: Ctx, id: string, fileId: string): Promise<void> {
  if ((await ctx.db.$count(files, ownFile(ctx, id, fileId))) === 0) throw fileNotFound(kind)
}

const fileNotFound = ({ at }: OwnLibrary) => notFound(`${at} нет такого файла`)

const ownFile = ({ user }: Ctx, libraryId: string, id: string) =>
  and(eq(files.id, id), eq(files.libraryId, libraryId), eq(files.userId, user.id))

/** The files of several libraries, oldest first. */
export async function filesOfLibraries(db: Db, ids: string[]): Promise<Map<string, Attachment[]>> {
  const byLibrary = new Map<string, Attachment[]>()
  if (ids.length === 0) return byLibrary
  const rows = await db
    .select({ libraryId: files.libraryId, file: attachmentColumns })
    .from(files)
    .where(inArray(files.libraryId, ids))
    .orderBy(asc(files.createdAt), asc(files.id))
  for (const { libraryId, file } of rows) {
    if (libraryId) byLibrary.set(libraryId, [...(byLibrary.get(libraryId) ?? []), toAttachment(file)])
  }
  return byLibrary
}

/** Passages are longer than the text of the files: headings, numbers and overlaps are added. */
const PASSAGE_OVERHEAD = { share: 1.3, block: 600 }

/** What a library adds to a question; `ready` is the symbols of its readable files. */
export function librarySymbols(
  { instructions, searchWords }: { instructions: string; searchWords: boolean },
  ready: number,
  isByMeaning: boolean,
): LibrarySymbols {
  const most = Math.ceil(ready * PASSAGE_OVERHEAD.share) + PASSAGE_OVERHEAD.block
  return {
    instructions: countSymbols(instructions),
    passages: ready === 0 ? 0 : Math.min(PASSAGE_SYMBOLS, most),
    searchWords: searchWords && !isByMeaning && ready > WHOLE_SYMBOLS ? SEARCH_WORDS_SYMBOLS : 0,
  }
}

export const symbolsOfReady = (own: Attachment[]) =>
  own.reduce((all, { state, symbols }) => all + (state === 'ready' ? (symbols ?? 0) : 0), 0)

export async function readySymbols(db: Db, libraryId: string): Promise<number> {
  const [read] = await db
    .select({ symbols: sum(files.symbols).mapWith(Number) })
    .from(files)
    .where(and(eq(files.libraryId, libraryId), eq(files.state, 'ready')))
  return read?.symbols ?? 0
}
