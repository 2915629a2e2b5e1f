import { and, asc, eq, gte, type SQL, sql } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import { files } from '#server/db/schema.ts'
import { Closing, type Parse } from '#server/files/pool.ts'
import type { ReadText } from '#server/files/tidy.ts'
import { Unreadable } from '#server/files/unreadable.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { readWhole } from '#server/storage/storage.ts'
import { whileAway } from '#server/work/retry.ts'
import { watchOwned } from '#server/work/runner.ts'
import type { KnowledgeDeps } from '../knowledge/deps.ts'
import { indexFile } from '../knowledge/indexing.ts'
import { fileAsText } from './as-text.ts'
import { type ClaimDeps, type Claimed, change, claim, held, isLeft, MAX_TRIES } from './claims.ts'
import type { FileDeps } from './deps.ts'
import { getFile } from './files.ts'
import { ownFile } from './rows.ts'

export interface FileReadingDeps extends FileDeps, ClaimDeps {
  knowledge: KnowledgeDeps
  log: Log
}

const LOAD_MS = 60_000
const BATCH = 20
const PROGRESS_MS = 1000

const GIVEN_UP = 'Прочитать файл не получилось и с третьего раза. Повторите позже или загрузите его по частям.'
const BYTES_GONE = 'Файл не сохранился. Загрузите его снова.'

/** Reads a file that has just come. Of several that want to, the one whose update finds it unclaimed does. */
export const readFresh = (deps: FileReadingDeps, id: string, userId?: string) =>
  read(deps, and(eq(files.id, id), eq(files.state, 'uploaded')), userId)

/** Reads what dead processes left, a few files at a time; how many it took. */
export async function readLeft(deps: FileReadingDeps): Promise<number> {
  await change(deps, and(isLeft, gte(files.tries, MAX_TRIES)), { state: 'failed', error: GIVEN_UP, instance: null })
  const left = await deps.db
    .select({ id: files.id, userId: files.userId })
    .from(files)
    .where(isLeft)
    .orderBy(asc(files.createdAt))
    .limit(BATCH)
  for (const { id, userId } of left) {
    await read(deps, and(eq(files.id, id), isLeft), userId).catch((error: unknown) =>
      deps.log.error({ err: error, fileId: id }, 'a file could not be read'),
    )
  }
  return left.length
}

/** One more go at a file that failed, as if it had just come. */
export async function retryFile(ctx: Ctx, deps: FileReadingDeps, id: string): Promise<Attachment> {
  const again = { state: 'uploaded', progress: 0, error: null, tries: 0, instance: null, claimedAt: null } as const
  const [file] = await change(deps, and(ownFile(ctx.user.id, id), eq(files.state, 'failed')), again)
  const shown = await getFile(ctx, id)
  if (!file) throw new AppError('conflict', 'Повторять нечего: файл уже прочитан или ещё читается.')
  readFresh(deps, id, ctx.user.id).catch((error: unknown) => deps.log.error({ err: error }, 'reading broke off'))
  return shown
}

/** Makes a file that is read findable anew. */
export async function indexAgain(ctx: Ctx, deps: FileReadingDeps, id: string): Promise<Attachment> {
  const again = { state: 'uploaded', progress: 0, tries: 0, instance: null, claimedAt: sql`now()` } as const
  await change(deps, and(ownFile(ctx.user.id, id), eq(files.state, 'ready')), again)
  readFresh(deps, id).catch((error: unknown) => deps.log.error({ err: error }, 'reading broke off'))
  return getFile(ctx, id)
}

/** Claims a file when a thread is free for it, and leaves it ready, failed, or as it was if the server stops. */
async function read(deps: FileReadingDeps, which: SQL | undefined, userId?: string): Promise<void> {
  let stopWatching = () => {}
  try {
    const claimed = await deps.pool.use(async (parse) => {
      const file = await claim(deps, which)
      if (!file) return null
      const owned = watchOwned(async () => (await deps.db.$count(files, held(file))) > 0)
      stopWatching = owned.close
      return { file, lost: owned.lost, isRead: await attempt(deps, file, () => readText(deps, file, parse)) }
    }, userId)
    if (!claimed?.isRead || !claimed.file.assistantId) return
    const { file, lost } = claimed
    await attempt(deps, file, () =>
      deps.pool.beside((closing) => makeFindable(deps, file, AbortSignal.any([lost, closing])), userId),
    )
  } catch (failure) {
    if (!(failure instanceof Closing)) throw failure
  } finally {
    stopWatching()
  }
}

/** Whether it went well; whatever went wrong is kept in the row. */
async function attempt(deps: FileReadingDeps, file: Claimed, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (failure) {
    await whileAway(() => change(deps, held(file), afterError(deps, file, failure)))
    return false
  }
}

/** A bad file stays bad. If it was ours, the storage or the stopping server, it is tried again after a while. */
function afterError({ log }: FileReadingDeps, { tries }: Claimed, failure: unknown) {
  const free = { instance: null, claimedAt: sql`now()` } as const
  if (failure instanceof Unreadable) return { ...free, state: 'failed', error: failure.message } as const
  if (failure instanceof Closing)
    return { state: 'uploaded', tries: tries - 1, instance: null, claimedAt: null } as const
  log.error({ err: failure }, 'a file could not be read')
  return tries >= MAX_TRIES
    ? ({ ...free, state: 'failed', error: GIVEN_UP } as const)
    : ({ ...free, state: 'uploaded' } as const)
}

async function readText(deps: FileReadingDeps, file: Claimed, parse: Parse): Promise<void> {
  if (file.state === 'indexing') return
  const text = await textOf(deps, file, parse)
  const symbols = countSymbols(fileAsText(file.name, text.content))
  const next = file.assistantId
    ? ({ state: 'indexing', progress: 0 } as const)
    : ({ state: 'ready', progress: 100, instance: null } as const)
  await whileAway(() => change(deps, held(file), { ...next, symbols, ...text }))
}

async function textOf(deps: FileReadingDeps, file: Claimed, parse: Parse): Promise<ReadText> {
  const bytes = await within(LOAD_MS, readWhole(deps.storage, file.storageKey))
  if (!bytes) throw new Unreadable(BYTES_GONE)
  return parse({ mime: file.mime, bytes }, teller(deps, file, 'reading'))
}

/** An assistant's file is cut and indexed; one whose row is gone meanwhile is nobody's failure. */
async function makeFindable(deps: FileReadingDeps, file: Claimed, signal: AbortSignal): Promise<void> {
  const { db, knowledge } = deps
  const { id, name, content, pages } = files
  const [row] = await db.select({ id, name, content, pages }).from(files).where(held(file))
  if (!row || !file.assistantId) return
  const whole = { ...row, assistantId: file.assistantId, content: row.content ?? '', pages: row.pages ?? [] }
  try {
    await indexFile(db, knowledge, whole, signal, teller(deps, file, 'indexing'))
  } catch (failure) {
    if ((await db.$count(files, held(file))) === 0) return
    throw signal.aborted ? new Closing() : failure
  }
  await whileAway(() => change(deps, held(file), { state: 'ready', progress: 100, error: null, instance: null }))
}

/** Says how far it is, once a second at most. */
function teller(deps: FileReadingDeps, file: Claimed, state: 'reading' | 'indexing') {
  let notifiedAt = Date.now()
  return (progress: number) => {
    if (Date.now() - notifiedAt < PROGRESS_MS) return
    notifiedAt = Date.now()
    change(deps, and(held(file), eq(files.state, state)), { progress }).catch(() => undefined)
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`The storage gave a file too slowly, over ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
