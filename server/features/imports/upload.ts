import { and, count, eq, inArray, sql, sum } from 'drizzle-orm'
import {
  type ImportDraft,
  type ImportFile,
  type ImportRow,
  MAX_IMPORT_BYTES,
  MAX_UNFINISHED_IMPORTS,
} from '#contract/imports.ts'
import { UPLOAD_CHUNK_BYTES } from '#contract/transcriptions.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { importFiles, imports } from '#server/db/schema.ts'
import { safeFileName } from '#server/files/file-name.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { publishImport } from './deps.ts'
import { archiveChunks, type FileRow, filesOf, findImport, importNotFound, ownImport, toFile, toRow } from './rows.ts'

/** A repeated call with the same id returns how far the upload is. */
export async function beginImport(ctx: Ctx, draft: ImportDraft): Promise<ImportRow> {
  const { db, user } = ctx
  const id = draft.id ?? newId()
  const [begun] = await db.select().from(imports).where(eq(imports.id, id))
  if (begun && begun.userId !== user.id) throw new AppError('conflict', 'Этот номер занят', { field: 'id' })
  if (begun) return toRow(db, begun)
  if (draft.files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_IMPORT_BYTES)
    throw new AppError('payload_too_large', 'Вместе файлы больше 2 ГБ. Перенесите их по очереди.', { field: 'files' })
  const row = await db.transaction(async (tx) => {
    await lockUser(tx, user.id)
    await checkUnfinished(tx, user.id)
    await checkStored(tx, user.id, draft)
    const [made] = await tx.insert(imports).values({ id, userId: user.id, state: 'uploading' }).returning()
    if (!made) throw importNotFound()
    await tx.insert(importFiles).values(
      draft.files.map(({ name, bytes }, number) => ({
        ...{ importId: id, number, userId: user.id, bytes },
        name: safeFileName(name),
        chunkBytes: UPLOAD_CHUNK_BYTES,
        storageKey: newId(),
      })),
    )
    return made
  })
  publishImport(ctx.publish, user.id, id)
  return toRow(db, row)
}

async function checkUnfinished(db: Db, userId: string): Promise<void> {
  const unfinished = inArray(imports.state, ['uploading', 'queued', 'working', 'found'])
  const [waiting] = await db
    .select({ imports: count() })
    .from(imports)
    .where(and(eq(imports.userId, userId), unfinished))
  if ((waiting?.imports ?? 0) >= MAX_UNFINISHED_IMPORTS)
    throw new AppError('conflict', 'Другой перенос ещё не закончен. Завершите его или уберите.')
}

/** Archives that lie here, whatever became of their imports, take no more room together than one may. */
async function checkStored(db: Db, userId: string, { files }: ImportDraft): Promise<void> {
  const [stored] = await db
    .select({ bytes: sum(importFiles.bytes).mapWith(Number) })
    .from(importFiles)
    .where(eq(importFiles.userId, userId))
  const wanted = files.reduce((all, { bytes }) => all + bytes, stored?.bytes ?? 0)
  if (wanted > MAX_IMPORT_BYTES)
    throw new AppError(
      'payload_too_large',
      'Вместе с архивами прежних переносов получается больше 2 ГБ. Завершите те переносы или уберите их.',
      { field: 'files' },
    )
}

/** For a chunk that is already stored, returns the offset to continue from. */
export async function putImportChunk(
  ctx: Ctx,
  deps: { storage: Storage; incoming: string },
  { id, number, offset }: { id: string; number: number; offset: number },
  body: AsyncIterable<Uint8Array>,
): Promise<ImportFile> {
  const file = await findFile(ctx, id, number)
  const received = await archiveChunks.receive(deps, file, offset, body)
  if (received === null) return toFile(file)
  const isSame = and(eq(importFiles.importId, id), eq(importFiles.number, number), eq(importFiles.received, offset))
  await ctx.db.update(importFiles).set({ received }).where(isSame)
  await ctx.db.update(imports).set({ updatedAt: sql`now()` }).where(ownImport(ctx.user.id, id))
  return toFile(await findFile(ctx, id, number))
}

async function findFile(ctx: Ctx, id: string, number: number): Promise<FileRow> {
  const row = await findImport(ctx, id)
  const file = row.state === 'uploading' ? (await filesOf(ctx.db, id)).find((one) => one.number === number) : undefined
  if (!file) throw importNotFound()
  return file
}

/** Queues the look into the archive. */
export async function finishImportUpload(ctx: Ctx, wake: () => void, id: string): Promise<ImportRow> {
  const row = await findImport(ctx, id)
  // A client that lost the response repeats the call.
  if (row.state !== 'uploading') return toRow(ctx.db, row)
  const lacking = (await filesOf(ctx.db, id)).find(({ received, bytes }) => received < bytes)
  if (lacking) throw new AppError('conflict', `Файл «${lacking.name}» пришёл не целиком: загрузите остальное.`)
  const [queued] = await ctx.db
    .update(imports)
    .set({ state: 'queued', step: 'check', updatedAt: sql`now()` })
    .where(and(ownImport(ctx.user.id, id), eq(imports.state, 'uploading')))
    .returning()
  wake()
  return toRow(ctx.db, queued ?? row)
}
