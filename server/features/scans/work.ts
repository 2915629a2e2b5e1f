import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { and, count, eq, sql } from 'drizzle-orm'
import { files, scanPages, scans } from '#server/db/schema.ts'
import { makePicture, type PictureSource } from '#server/files/page-picture.ts'
import { Closing } from '#server/files/pool.ts'
import { Unreadable } from '#server/files/rejections.ts'
import { OwnershipLost, SERVER_STOPS } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { LlmError } from '#server/llm/errors.ts'
import { expireGrantsOf, release } from '../billing/ledger.ts'
import { composeFile } from './compose.ts'
import { PageFailed, type ReadPage, readPage } from './page-text.ts'
import {
  claimPage,
  failPage,
  freePages,
  holdKey,
  holdPage,
  MAX_CLAIMS,
  MAX_FAILED_TRIES,
  ownedBy,
  type PageRow,
  publishScan,
  type ScanDeps,
  type ScanRow,
  storePage,
} from './pages.ts'
import { chooseScanModel, type ScanModel } from './scan-model.ts'

/** So many failures one after another are not about the pages. */
const MAX_FAILURES = 5
/** After so many pages a long scan lets others have a turn. */
const PAGES_PER_TURN = 20
const COMPOSE_MS = 60_000

const CRASHED = 'На этой странице чтение несколько раз прерывалось.'
const FILE_GONE = 'Файл не сохранился. Загрузите его снова.'

interface Job {
  row: ScanRow
  file: { name: string; libraryId: string | null }
  source: PictureSource
  signal: AbortSignal
}

/** Reads the pages that are left. Leaves the scan ready or stopped, or queued when its turn or the server ends. */
export async function readScan(deps: ScanDeps, row: ScanRow, signal: AbortSignal): Promise<void> {
  try {
    const { name, libraryId, mime, storageKey } = files
    const [file] = await deps.db
      .select({ name, libraryId, mime, storageKey })
      .from(files)
      .where(and(eq(files.id, row.fileId), eq(files.userId, row.userId)))
    if (!file) return
    const isOver = await withLocalFile(deps, file.storageKey, (path) =>
      readPages(deps, { row, file, signal, source: { path, mime: file.mime, userId: row.userId } }),
    )
    if (isOver) await finish(deps, row, signal)
    else await requeue(deps, row)
  } catch (error) {
    await end(deps, row, signal.aborted ? signal.reason : error).catch((failed: unknown) =>
      deps.log.error({ err: failed, fileId: row.fileId }, 'scans: the end could not be recorded'),
    )
  }
}

/** One page is in memory at a time. Returns whether all pages had their try. */
async function readPages(deps: ScanDeps, job: Job): Promise<boolean> {
  let failures = 0
  for (let done = 0; done < PAGES_PER_TURN; done += 1) {
    job.signal.throwIfAborted()
    const page = await claimPage(deps, job.row)
    if (!page) return true
    try {
      await readOne(deps, job, page)
      failures = 0
    } catch (error) {
      if (!(error instanceof PageFailed || error instanceof Unreadable) || job.signal.aborted) throw error
      await failPage(deps, job.row, page, error.message)
      failures += 1
      if (failures >= MAX_FAILURES) throw new AppError('model_failed', TOO_MANY)
    }
  }
  return false
}

const TOO_MANY = `Подряд не прочитались ${MAX_FAILURES} страниц. Посмотрите, что с ними, и продолжите или загрузите другой файл.`

async function readOne(deps: ScanDeps, job: Job, page: PageRow): Promise<void> {
  const { row, file, source, signal } = job
  if (page.crashes >= MAX_FAILED_TRIES || page.tries > MAX_CLAIMS) throw new PageFailed(CRASHED)
  const model = await agreedModel(deps, row, file.libraryId)
  const { content, isBlank } = await makePicture(deps, source, page.number, signal)
  if (isBlank) return storePage(deps, row, page, null, model)
  try {
    const outcome = await holdPage(deps, row, page)
    if (outcome !== 'held') throw notEnoughSymbols(row.pagePrice, outcome === 'cap')
    await storePage(deps, row, page, await askPatiently(deps, job, model, content), model)
  } catch (error) {
    // A deleted file has no row that would release it later.
    if (error instanceof OwnershipLost || signal.aborted)
      await retryWhileUnavailable(() => release(deps.db, holdKey(page)))
    throw error
  }
}

/** The country of the assistant and the masking of the user may have changed since the start, and so may the price. */
async function agreedModel(deps: ScanDeps, row: ScanRow, libraryId: string | null): Promise<ScanModel> {
  const chosen = await chooseScanModel(deps.db, deps.providers, { userId: row.userId, libraryId })
  if ('refusal' in chosen) throw new AppError('conflict', chosen.refusal)
  if (chosen.model.id === row.modelId && chosen.model.pagePrice <= row.pagePrice) return chosen.model
  throw new AppError('conflict', 'Модель для чтения сканов сменилась. Проверьте цену и продолжите.')
}

const notEnoughSymbols = (pagePrice: number, isCap: boolean) =>
  new AppError(
    'out_of_symbols',
    isCap
      ? 'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра, потом продолжите.'
      : `Закончились символы: страница стоит ${pagePrice.toLocaleString('ru-RU')}. Пополните баланс и продолжите.`,
  )

/** A busy model is asked again after a pause; other errors of the service end the reading. */
async function askPatiently(deps: ScanDeps, job: Job, model: ScanModel, picture: Buffer): Promise<ReadPage> {
  const llm = deps.providers.llm(model.provider)
  const { pageMs, pausesMs } = deps.limits
  for (let tries = 0; ; tries += 1) {
    try {
      return await readPage(llm, model, picture, { userId: job.row.userId, signal: job.signal, pageMs })
    } catch (error) {
      const wait = pausesMs[tries]
      const isBusy = error instanceof LlmError && error.kind === 'busy'
      if (!isBusy || wait === undefined || (error.retryAfterMs ?? 0) > Math.max(...pausesMs)) throw error
      await pause(error.retryAfterMs ?? wait, undefined, { signal: job.signal }).catch(() => undefined)
      job.signal.throwIfAborted()
    }
  }
}

/** Every page had its try: what was read becomes the text of the file. */
async function finish(deps: ScanDeps, row: ScanRow, signal: AbortSignal): Promise<void> {
  await retryWhileUnavailable(() => composeFile(deps, row.fileId, signal), { signal })
  await retryWhileUnavailable(() =>
    deps.db.transaction(async (tx) => {
      const [left] = await tx
        .select({ pages: count() })
        .from(scanPages)
        .where(and(eq(scanPages.fileId, row.fileId), eq(scanPages.state, 'failed')))
      const state = left?.pages === 0 ? ('ready' as const) : ('stopped' as const)
      await tx
        .update(scans)
        .set({ state, instance: null, errorCode: null, errorMessage: null, updatedAt: sql`now()` })
        .where(ownedBy(row))
      publishScan(deps.publish, row)
    }),
  )
}

const requeue = (deps: ScanDeps, row: ScanRow) =>
  retryWhileUnavailable(() =>
    deps.db.update(scans).set({ state: 'queued', instance: null, updatedAt: sql`now()` }).where(ownedBy(row)),
  )

/** A stopping server leaves the scan to the next one; after any other error its owner decides how to go on. */
async function end(deps: ScanDeps, row: ScanRow, reason: unknown): Promise<void> {
  const { db, log, publish } = deps
  if (reason instanceof OwnershipLost) return
  const isStopping = reason === SERVER_STOPS || reason instanceof Closing
  const error = isStopping ? null : causeOf(reason)
  if (error?.isOurs) log.error({ err: reason, fileId: row.fileId }, 'scans: reading failed')
  else if (reason instanceof LlmError) log.warn({ err: reason, fileId: row.fileId }, 'scans: the model failed')
  // First the text, then the state: a process that dies between them leaves the scan to another one.
  if (error) await composeFile(deps, row.fileId, AbortSignal.timeout(COMPOSE_MS)).catch(() => undefined)
  await retryWhileUnavailable(() =>
    db.transaction(async (tx) => {
      await expireGrantsOf(tx, row.userId)
      const [ended] = await tx
        .update(scans)
        .set({
          ...(error ? { state: 'stopped' as const, updatedAt: sql`now()` } : { state: 'queued' as const }),
          instance: null,
          errorCode: error?.code ?? null,
          errorMessage: error?.message ?? null,
        })
        .where(ownedBy(row))
        .returning({ id: scans.fileId })
      if (!ended) return
      await freePages(tx, row.fileId)
      publishScan(publish, row)
    }),
  )
}

function causeOf(reason: unknown): { code: string; message: string; isOurs: boolean } {
  if (reason instanceof LlmError) return { code: 'model_failed', message: reason.sentenceWithoutChoice, isOurs: false }
  if (reason instanceof AppError)
    return { code: reason.code, message: reason.message, isOurs: reason.code === 'internal' }
  return { code: 'internal', message: 'Чтение прервалось по нашей вине. Продолжите его.', isOurs: true }
}

/** The file is on the disk of this machine while its pages are read or shown. */
export async function withLocalFile<Result>(
  { storage, incoming }: Pick<ScanDeps, 'storage' | 'incoming'>,
  key: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(incoming, newId())
  try {
    const stored = await storage.read(key)
    if (!stored) throw new AppError('not_found', FILE_GONE)
    await pipeline(Readable.fromWeb(stored.stream), createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
