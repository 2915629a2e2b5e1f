import { and, asc, count, desc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Import, ImportFile, ImportItem, ImportRow } from '#contract/imports.ts'
import type { Db } from '#server/db/client.ts'
import { importFiles, importItems, imports, threads } from '#server/db/schema.ts'
import { chunkedFiles } from '#server/files/chunked-files.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { notFound } from '#server/lib/errors.ts'
import { byChunks } from '../storage/kinds.ts'

export type Row = typeof imports.$inferSelect
export type FileRow = typeof importFiles.$inferSelect

const LISTED = 50
const NAMED = 20

export const importNotFound = () => notFound('Такого переноса нет')

export const ownImport = (userId: string, id: string) => and(eq(imports.id, id), eq(imports.userId, userId))

export async function findImport({ db, user }: Pick<Ctx, 'db' | 'user'>, id: string): Promise<Row> {
  const [row] = await db.select().from(imports).where(ownImport(user.id, id))
  if (!row) throw importNotFound()
  return row
}

export const filesOf = (db: Db, importId: string): Promise<FileRow[]> =>
  db.select().from(importFiles).where(eq(importFiles.importId, importId)).orderBy(asc(importFiles.number))

export async function listImports({ db, user }: Ctx): Promise<ImportRow[]> {
  const rows = await db
    .select()
    .from(imports)
    .where(eq(imports.userId, user.id))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(LISTED)
  return toRows(db, rows)
}

export async function toRow(db: Db, row: Row): Promise<ImportRow> {
  return withFiles(row, await filesOf(db, row.id))
}

async function toRows(db: Db, rows: Row[]): Promise<ImportRow[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const files = await db
    .select()
    .from(importFiles)
    .where(inArray(importFiles.importId, ids))
    .orderBy(asc(importFiles.number))
  return rows.map((row) =>
    withFiles(
      row,
      files.filter(({ importId }) => importId === row.id),
    ),
  )
}

const withFiles = (
  { id, state, step, progress, found, result, error, createdAt }: Row,
  files: FileRow[],
): ImportRow => ({
  ...{ id, status: state, step, progress, found, result, error },
  files: files.map(toFile),
  createdAt: createdAt.toISOString(),
})

export const toFile = ({ name, bytes, received, chunkBytes }: FileRow): ImportFile => ({
  name,
  bytes,
  received,
  chunkBytes,
})

export async function getImport(ctx: Ctx, id: string): Promise<Import> {
  const row = await findImport(ctx, id)
  const continued = row.state === 'done' ? await continuedChats(ctx.db, row) : { count: 0, titles: [] }
  return { ...(await toRow(ctx.db, row)), continued }
}

/** In the thread there is something that this import did not bring. */
export const hasOtherMessages = (importId: string) => sql`exists (
  select from messages other where other.thread_id = ${threads.id}
  and (other.imported is null or other.imported->>'import' <> ${importId}))`

async function continuedChats(db: Db, { id, createdAt }: Row): Promise<Import['continued']> {
  // A new message moves a thread to the top, so the others need not be looked into.
  const written = and(eq(importItems.importId, id), gt(threads.updatedAt, createdAt), hasOtherMessages(id))
  const found = db
    .select({ title: threads.title })
    .from(importItems)
    .innerJoin(threads, eq(threads.id, importItems.threadId))
    .where(and(written, eq(importItems.outcome, 'added')))
  const titles = (await found.limit(NAMED)).map(({ title }) => title)
  if (titles.length < NAMED) return { count: titles.length, titles }
  const [all] = await db.select({ count: count() }).from(found.as('written'))
  return { count: all?.count ?? titles.length, titles }
}

/** Items of chats that earlier imports brought and that still exist. */
export const isKnown = (userId: string, source: string, ids: string[]) =>
  and(
    eq(importItems.userId, userId),
    eq(importItems.source, source),
    inArray(importItems.sourceId, ids),
    eq(importItems.outcome, 'added'),
    sql`${importItems.threadId} is not null`,
  )

const Cursor = z.tuple([z.string().check(z.regex(/^[\w-]{1,64}$/))])
const isPartial = sql`${importItems.lostPictures} + ${importItems.lostFiles} + ${importItems.lostSounds} > 0`

/** What did not come and what came in part; or everything. */
export async function listItems(
  ctx: Ctx,
  id: string,
  { limit, cursor, all }: { limit: number; cursor?: string | undefined; all?: '1' | undefined },
): Promise<Page<ImportItem[]>> {
  await findImport(ctx, id)
  const wanted: SQL | undefined = all ? undefined : or(eq(importItems.outcome, 'skipped'), isPartial)
  const after = cursor ? gt(importItems.id, readCursor(Cursor, cursor)[0]) : undefined
  const rows = await ctx.db
    .select()
    .from(importItems)
    .where(and(eq(importItems.importId, id), wanted, after))
    .orderBy(asc(importItems.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return new Page(items.map(toItem), last ? writeCursor([last.id]) : null)
}

const toItem = (row: typeof importItems.$inferSelect): ImportItem => {
  const { id, title, outcome, threadId, messages, lostPictures, lostFiles, lostSounds } = row
  return {
    id,
    title,
    outcome,
    reason: row.reason as ImportItem['reason'],
    threadId,
    messages,
    lostPictures,
    lostFiles,
    lostSounds,
  }
}

export const archiveChunks = chunkedFiles('archives')
export const archives = byChunks('архивы чатов', archiveChunks, importFiles)

/** Deletes the rows of the files and their bytes: the archive has been read or is not wanted. */
export async function deleteArchive(
  { db, storage }: { db: Db; storage: Parameters<typeof archiveChunks.deleteAll>[0] },
  importId: string,
) {
  const gone = await db.delete(importFiles).where(eq(importFiles.importId, importId)).returning()
  for (const file of gone) await archiveChunks.deleteAll(storage, { ...file, bytes: file.received })
}
