import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { MAX_SCAN_PAGES, type Scan } from '#contract/scans.ts'
import { files, scanPages, scans } from '#server/db/schema.ts'
import { makePicture } from '#server/files/page-picture.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Queue } from '#server/instances/queue.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { balanceOf, expireGrantsOf } from '../billing/ledger.ts'
import { ownFile } from '../files/files.ts'
import { composeFile } from './compose.ts'
import { freePages, MAX_CLAIMS, MAX_FAILED_TRIES, publishScan, type ScanDeps } from './pages.ts'
import type { Pictures } from './pictures.ts'
import { chooseScanModel } from './scan-model.ts'
import { withLocalFile } from './work.ts'

export interface ScanRouteDeps extends ScanDeps {
  scanQueue: Queue
  pictures: Pictures
}

const fileColumns = {
  id: files.id,
  userId: files.userId,
  libraryId: files.libraryId,
  kind: files.kind,
  mime: files.mime,
  storageKey: files.storageKey,
  needsReading: files.needsReading,
}

/** The caller's own file with the numbers of its pages that can be read; 404 for a file that needs no reading. */
async function findFile({ db, user }: Ctx, id: string) {
  const [file] = await db.select(fileColumns).from(files).where(ownFile(user.id, id))
  const numbers = file?.needsReading ?? (file?.kind === 'image' ? [1] : [])
  if (!file || numbers.length === 0) throw notFound('У этого файла нет страниц, которые нужно читать с картинки.')
  return { ...file, numbers: numbers.slice(0, MAX_SCAN_PAGES) }
}

type ScannedFile = Awaited<ReturnType<typeof findFile>>

export async function getScan(ctx: Ctx, deps: ScanDeps, fileId: string): Promise<Scan> {
  return describeScan(ctx, deps, await findFile(ctx, fileId))
}

async function describeScan({ db }: Ctx, deps: ScanDeps, file: ScannedFile): Promise<Scan> {
  const [row] = await db.select().from(scans).where(eq(scans.fileId, file.id))
  const { number, state, error, charged, crashes, tries } = scanPages
  const pages = await db
    .select({ number, state, error, charged, crashes, tries })
    .from(scanPages)
    .where(eq(scanPages.fileId, file.id))
    .orderBy(asc(number))
  const read = pages.filter((page) => page.state === 'ready').length
  const isOver = (page: (typeof pages)[number]) =>
    page.state === 'failed' && (page.crashes >= MAX_FAILED_TRIES || page.tries > MAX_CLAIMS)
  const left = file.numbers.length - read - pages.filter(isOver).length
  const chosen = await chooseScanModel(db, deps.providers, file)
  const pagePrice = 'model' in chosen ? chosen.model.pagePrice : null
  return {
    fileId: file.id,
    state: row?.state ?? 'offered',
    pages: file.numbers.length,
    read,
    failed: pages.flatMap((page) =>
      page.state === 'failed' ? [{ number: page.number, error: page.error ?? '' }] : [],
    ),
    pagePrice,
    left,
    price: pagePrice === null ? null : pagePrice * left,
    refusal: 'refusal' in chosen ? chosen.refusal : null,
    error: row?.state === 'stopped' ? row.errorMessage : null,
    charged: pages.reduce((sum, page) => sum + page.charged, 0),
  }
}

/** Queues the pages that are not read: all at first, later the failed ones and the rest. Repeating it changes nothing. */
export async function startScan(
  ctx: Ctx,
  deps: ScanRouteDeps,
  fileId: string,
  agreed: { pagePrice: number },
): Promise<Scan> {
  const file = await findFile(ctx, fileId)
  const chosen = await chooseScanModel(ctx.db, deps.providers, file)
  if ('refusal' in chosen) throw new AppError('conflict', chosen.refusal)
  const { id: modelId, pagePrice } = chosen.model
  if (pagePrice !== agreed.pagePrice)
    throw new AppError('conflict', 'Цена страницы изменилась. Посмотрите на неё и повторите.')
  const { availableTokens } = await balanceOf(ctx.db, ctx.user.id)
  if (availableTokens < pagePrice)
    throw new AppError('out_of_symbols', 'Символов не хватает даже на одну страницу. Пополните баланс.')
  await ctx.db.transaction(async (tx) => {
    // Locks the file before its scan, as deleting it does.
    await tx.update(files).set({ needsReading: file.numbers }).where(ownFile(ctx.user.id, fileId))
    const values = { state: 'queued', modelId, pagePrice, errorCode: null, errorMessage: null } as const
    const [row] = await tx
      .insert(scans)
      .values({ ...values, fileId, userId: ctx.user.id })
      .onConflictDoUpdate({
        target: scans.fileId,
        set: { ...values, updatedAt: sql`now()` },
        setWhere: inArray(scans.state, ['stopped', 'ready']),
      })
      .returning({ id: scans.fileId })
    if (!row) return
    const pages = file.numbers.map((number) => ({ id: `${fileId}-${number}`, fileId, userId: ctx.user.id, number }))
    await tx
      .insert(scanPages)
      .values(pages.map((page) => ({ ...page, state: 'waiting' as const })))
      .onConflictDoNothing()
    await tx
      .update(scanPages)
      .set({ state: 'waiting', error: null })
      .where(
        and(
          ...[eq(scanPages.fileId, fileId), eq(scanPages.state, 'failed')],
          ...[lt(scanPages.crashes, MAX_FAILED_TRIES), lte(scanPages.tries, MAX_CLAIMS)],
        ),
      )
    publishScan(ctx.publish, { userId: ctx.user.id, fileId })
  })
  deps.scanQueue.wake()
  return describeScan(ctx, deps, file)
}

const COMPOSE_MS = 10_000

/** What was read stays; the page at the model is given up free of charge. */
export async function stopScan(ctx: Ctx, deps: ScanRouteDeps, fileId: string): Promise<Scan> {
  const file = await findFile(ctx, fileId)
  const isStopped = await ctx.db.transaction(async (tx) => {
    // Lock order: the balance first, as where a page is stored.
    await expireGrantsOf(tx, ctx.user.id)
    const [row] = await tx
      .update(scans)
      .set({ state: 'stopped', instance: null, updatedAt: sql`now()` })
      .where(and(eq(scans.fileId, fileId), eq(scans.userId, ctx.user.id), inArray(scans.state, ['queued', 'working'])))
      .returning({ id: scans.fileId })
    if (!row) return false
    await freePages(tx, fileId)
    publishScan(ctx.publish, { userId: ctx.user.id, fileId })
    return true
  })
  deps.scanQueue.cancel(fileId)
  if (isStopped) await composeFile(deps, fileId, AbortSignal.timeout(COMPOSE_MS)).catch(() => undefined)
  return describeScan(ctx, deps, file)
}

/** Made when it is asked for and stored on no disk, so that it ends with its file. */
export async function pagePicture(
  ctx: Ctx,
  deps: ScanRouteDeps,
  { fileId, number: wanted }: { fileId: string; number: string },
  signal: AbortSignal,
): Promise<Response> {
  const file = await findFile(ctx, fileId)
  const number = Number(wanted)
  if (!file.numbers.includes(number)) throw notFound('Такой страницы нет.')
  const make = (path: string) => makePicture(deps, { path, mime: file.mime, userId: ctx.user.id }, number, signal)
  const picture = await deps.pictures.find(`${fileId} ${number}`, {
    ...{ userId: ctx.user.id, signal },
    make: () => withLocalFile(deps, file.storageKey, make),
  })
  return new Response(new Uint8Array(picture), {
    headers: { 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=86400' },
  })
}
