import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { ImportRow } from '#contract/imports.ts'
import type { Db } from '#server/db/client.ts'
import { imports } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { crashesOf, createQueue, type Queue } from '#server/instances/queue.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { type ImportDeps, publishImport } from './deps.ts'
import { deleteArchive, filesOf, findImport, ownImport, toRow } from './rows.ts'
import { canUndo, undoValues } from './undo.ts'
import { workOnImport } from './work.ts'

export const createImportQueue = (deps: ImportDeps): Queue =>
  createQueue(deps, {
    name: 'imports',
    columns: imports,
    // One archive at a time: its thread and its local copy are the largest things that a process has.
    limit: 1,
    claim: (isNext, values) =>
      deps.db
        .update(imports)
        .set({ ...values, crashes: crashesOf(imports) })
        .where(isNext)
        .returning(),
    idOf: ({ id }) => id,
    work: (row, signal) => workOnImport(deps, row, signal),
  })

/** Brings what was found; after a failure on our side goes on from there. */
export async function startImport(ctx: Ctx, queue: Queue, id: string): Promise<ImportRow> {
  const row = await findImport(ctx, id)
  // A client that lost the response repeats the call.
  if (row.step === 'store' && row.state !== 'failed') return toRow(ctx.db, row)
  const isReady = row.state === 'found' || row.state === 'failed'
  if (!isReady || (await filesOf(ctx.db, id)).length === 0)
    throw new AppError('conflict', 'Переносить пока нечего: загрузите архив и дождитесь проверки.')
  const step = row.found ? ('store' as const) : ('check' as const)
  const [queued] = await ctx.db
    .update(imports)
    .set({ state: 'queued', step, progress: 0, error: null, crashes: 0, updatedAt: sql`now()` })
    .where(and(ownImport(ctx.user.id, id), inArray(imports.state, ['found', 'failed'])))
    .returning()
  publishImport(ctx.publish, ctx.user.id, id)
  queue.wake()
  return toRow(ctx.db, queued ?? row)
}

/** Also while it runs: what came so far is removed then. */
export async function undo(ctx: Ctx, queue: Queue, id: string, continued: boolean): Promise<ImportRow> {
  const row = await findImport(ctx, id)
  if (row.step === 'undo' && row.state !== 'failed') return toRow(ctx.db, row)
  if (!canUndo(row) && row.step !== 'undo')
    throw new AppError('conflict', 'Отменять нечего: этот перенос ничего не принёс.')
  const [queued] = await ctx.db
    .update(imports)
    .set(undoValues(continued))
    .where(and(ownImport(ctx.user.id, id), ne(imports.state, 'undone')))
    .returning()
  publishImport(ctx.publish, ctx.user.id, id)
  queue.cancel(id)
  queue.wake()
  return toRow(ctx.db, queued ?? row)
}

/** An import of which something is here stays in the list: it knows what a later archive need not bring. */
export async function deleteImport(
  ctx: Ctx,
  deps: { queue: Queue; storage: Storage },
  id: string,
): Promise<{ id: string }> {
  const row = await findImport(ctx, id)
  const { kept = 0, keptProjects = 0 } = row.result ?? {}
  const isEmpty = row.step === 'check' || (row.state === 'undone' && kept + keptProjects === 0)
  if (!isEmpty) throw new AppError('conflict', 'Этот перенос принёс чаты. Его можно только отменить.')
  await deleteArchive({ db: ctx.db, storage: deps.storage }, id)
  await ctx.db.delete(imports).where(ownImport(ctx.user.id, id))
  deps.queue.cancel(id)
  publishImport(ctx.publish, ctx.user.id, id, 'removed')
  return { id }
}

const FORGOTTEN_MS = 86_400_000

export const importJobs = (deps: { db: Db; storage: Storage }): Job[] => [
  { name: 'clean-imports', cron: '11 * * * *', run: () => cleanImports(deps), limitSeconds: 3600 },
]

/** Archives with which nobody has gone on for a day: not uploaded to their end, not taken, or stopped by a failure. */
export async function cleanImports({ db, storage }: { db: Db; storage: Storage }, now = Date.now()): Promise<void> {
  const isLeft = inArray(imports.state, ['uploading', 'found', 'failed'])
  const old = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(isLeft, lt(imports.updatedAt, new Date(now - FORGOTTEN_MS))))
  for (const { id } of old) {
    await deleteArchive({ db, storage }, id)
    // What came stays, with its report.
    await db.delete(imports).where(and(eq(imports.id, id), isLeft, eq(imports.step, 'check')))
  }
}
