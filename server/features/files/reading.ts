import { and, asc, eq, gte, type SQL, sql } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import { files } from '#server/db/schema.ts'
import { Closing, type Parse } from '#server/files/pool.ts'
import { SCAN, Unreadable } from '#server/files/rejections.ts'
import type { ReadText } from '#server/files/text.ts'
import type { Ctx } from '#server/http/context.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { watchOwnership } from '#server/instances/runner.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { readWhole } from '#server/storage/storage.ts'
import type { KnowledgeDeps } from '../knowledge/deps.ts'
import { indexFile } from '../knowledge/indexing.ts'
import {
  type ClaimDeps,
  type ClaimedFile,
  claim,
  inHalfAMinute,
  isClaimValid,
  isStale,
  MAX_TRIES,
  updateFiles,
} from './claims.ts'
import type { FileDeps } from './deps.ts'
import { fileAsText, getFile, ownFile } from './files.ts'

export interface FileReadingDeps extends FileDeps, ClaimDeps {
  knowledge: KnowledgeDeps
  log: Log
}

const LOAD_MS = 60_000
const BATCH = 20
const PROGRESS_MS = 1000

const TRIES_EXHAUSTED = 'Прочитать файл не получилось и с третьего раза. Повторите позже или загрузите его по частям.'
const BYTES_GONE = 'Файл не сохранился. Загрузите его снова.'

/** Parallel calls read it once. */
export const readUploaded = (deps: FileReadingDeps, id: string, userId?: string) =>
  read(deps, and(eq(files.id, id), eq(files.state, 'uploaded')), userId)

export const fileSweep = (deps: FileReadingDeps): Sweep => ({
  name: 'read-files',
  everyMs: 10_000,
  waits: sql`exists (select from ${files} where ${isStale})`,
  run: () => readStale(deps),
})

export async function readStale(deps: FileReadingDeps): Promise<number> {
  await updateFiles(deps, and(isStale, gte(files.tries, MAX_TRIES)), {
    state: 'failed',
    error: TRIES_EXHAUSTED,
    instance: null,
  })
  const stale = await deps.db
    .select({ id: files.id, userId: files.userId })
    .from(files)
    .where(isStale)
    .orderBy(asc(files.createdAt))
    .limit(BATCH)
  for (const { id, userId } of stale) {
    await read(deps, and(eq(files.id, id), isStale), userId).catch((error: unknown) =>
      deps.log.error({ err: error, fileId: id }, 'files: reading failed'),
    )
  }
  return stale.length
}

export async function retryFile(ctx: Ctx, deps: FileReadingDeps, id: string): Promise<Attachment> {
  const again = {
    state: 'uploaded',
    progress: 0,
    error: null,
    tries: 0,
    instance: null,
    claimableAt: sql`now()`,
  } as const
  const [file] = await updateFiles(deps, and(ownFile(ctx.user.id, id), eq(files.state, 'failed')), again)
  const shown = await getFile(ctx, id)
  if (!file) throw new AppError('conflict', 'Повторять нечего: файл уже прочитан или ещё читается.')
  readUploaded(deps, id, ctx.user.id).catch((error: unknown) => deps.log.error({ err: error }, 'files: reading failed'))
  return shown
}

export async function indexAgain(ctx: Ctx, deps: FileReadingDeps, id: string): Promise<Attachment> {
  const again = { state: 'uploaded', progress: 0, tries: 0, instance: null, claimableAt: inHalfAMinute } as const
  await updateFiles(deps, and(ownFile(ctx.user.id, id), eq(files.state, 'ready')), again)
  readUploaded(deps, id).catch((error: unknown) => deps.log.error({ err: error }, 'files: reading failed'))
  return getFile(ctx, id)
}

/** Claims a file when a thread is free. Leaves it ready or failed, or unclaimed if the server stops. */
async function read(deps: FileReadingDeps, which: SQL | undefined, userId?: string): Promise<void> {
  let stopWatching = () => {}
  try {
    const claimed = await deps.pool.use(async (parse) => {
      const file = await claim(deps, which)
      if (!file) return null
      const owned = watchOwnership(async () => (await deps.db.$count(files, isClaimValid(file))) > 0)
      stopWatching = owned.close
      return { file, lost: owned.lost, isRead: await attempt(deps, file, () => readText(deps, file, parse)) }
    }, userId)
    if (!claimed?.isRead || !claimed.file.libraryId) return
    const { file, lost } = claimed
    await attempt(deps, file, () =>
      deps.pool.beside((closing) => indexText(deps, file, AbortSignal.any([lost, closing])), userId),
    )
  } catch (error) {
    if (!(error instanceof Closing)) throw error
  } finally {
    stopWatching()
  }
}

/** Returns whether the work succeeded; an error is stored in the row. */
async function attempt(deps: FileReadingDeps, file: ClaimedFile, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    await retryWhileUnavailable(() => updateFiles(deps, isClaimValid(file), afterError(deps, file, error)))
    return false
  }
}

/** An unreadable file fails for good. Errors of the storage or of the server are tried again. */
function afterError({ log }: FileReadingDeps, { tries }: ClaimedFile, error: unknown) {
  const free = { instance: null, claimableAt: inHalfAMinute } as const
  if (error instanceof Unreadable) return { ...free, state: 'failed', error: error.message } as const
  if (error instanceof Closing)
    return { state: 'uploaded', tries: tries - 1, instance: null, claimableAt: sql`now()` } as const
  log.error({ err: error }, 'files: reading failed')
  return tries >= MAX_TRIES
    ? ({ ...free, state: 'failed', error: TRIES_EXHAUSTED } as const)
    : ({ ...free, state: 'uploaded' } as const)
}

async function readText(deps: FileReadingDeps, file: ClaimedFile, parse: Parse): Promise<void> {
  if (file.state === 'indexing') return
  const { content, pages, pdf } = await textOf(deps, file, parse)
  const unread = (pdf?.pages ?? []).flatMap(({ number, needsReading }) => (needsReading ? [number] : []))
  const needsReading = unread.length > 0 ? unread : null
  if (content === '') {
    await retryWhileUnavailable(() => updateFiles(deps, isClaimValid(file), { needsReading }))
    throw new Unreadable(SCAN)
  }
  const symbols = countSymbols(fileAsText(file.name, content))
  const next = file.libraryId
    ? ({ state: 'indexing', progress: 0 } as const)
    : ({ state: 'ready', progress: 100, instance: null } as const)
  await retryWhileUnavailable(() =>
    updateFiles(deps, isClaimValid(file), { ...next, symbols, content, pages, needsReading }),
  )
}

async function textOf(deps: FileReadingDeps, file: ClaimedFile, parse: Parse): Promise<ReadText> {
  const bytes = await withTimeout(LOAD_MS, readWhole(deps.storage, file.storageKey))
  if (!bytes) throw new Unreadable(BYTES_GONE)
  return parse({ mime: file.mime, bytes }, progressWriter(deps, file, 'reading'))
}

/** A file that was deleted meanwhile is not an error. */
async function indexText(deps: FileReadingDeps, file: ClaimedFile, signal: AbortSignal): Promise<void> {
  const { db, knowledge } = deps
  const { id, name, content, pages } = files
  const [row] = await db.select({ id, name, content, pages }).from(files).where(isClaimValid(file))
  if (!row || !file.libraryId) return
  const whole = { ...row, libraryId: file.libraryId, content: row.content ?? '', pages: row.pages ?? [] }
  try {
    await indexFile(db, knowledge, whole, signal, progressWriter(deps, file, 'indexing'))
  } catch (error) {
    if ((await db.$count(files, isClaimValid(file))) === 0) return
    throw signal.aborted ? new Closing() : error
  }
  await retryWhileUnavailable(() =>
    updateFiles(deps, isClaimValid(file), { state: 'ready', progress: 100, error: null, instance: null }),
  )
}

/** Stores the progress, once a second at most. */
function progressWriter(deps: FileReadingDeps, file: ClaimedFile, state: 'reading' | 'indexing') {
  let writtenAt = Date.now()
  return (progress: number) => {
    if (Date.now() - writtenAt < PROGRESS_MS) return
    writtenAt = Date.now()
    updateFiles(deps, and(isClaimValid(file), eq(files.state, state)), { progress }).catch(() => undefined)
  }
}

async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`The storage did not return a file within ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
