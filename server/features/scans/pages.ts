import { and, asc, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { scanPages, scans } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { RenderPage } from '#server/files/page-picture.ts'
import type { Publish } from '#server/http/context.ts'
import { isClaimed, OwnershipLost } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { Providers } from '#server/llm/providers.ts'
import { expireGrantsOf, type HoldOutcome, hold, release, settle } from '../billing/ledger.ts'
import type { FileReadingDeps } from '../files/reading.ts'
import { costOfTokens } from '../models/models.ts'
import { recordCall } from '../models/side-costs.ts'
import type { ReadPage } from './page-text.ts'
import type { ScanModel } from './scan-model.ts'

export type ScanRow = typeof scans.$inferSelect
export type PageRow = typeof scanPages.$inferSelect

export interface ScanDeps extends FileReadingDeps {
  providers: Providers
  /** Null when pdftoppm is not installed. */
  render: RenderPage | null
  limits: ReadingLimits
}

export interface ReadingLimits {
  /** A page that takes longer fails, free of charge. */
  pageMs: number
  /** The pauses before a busy model is asked again. */
  pausesMs: number[]
}

export const scanColumns = { ...getTableColumns(scans), id: scans.fileId }

export const ownedBy = ({ fileId, tries }: ScanRow) => isClaimed(scanColumns, { id: fileId, tries })

export const holdKey = ({ id, tries }: Pick<PageRow, 'id' | 'tries'>) => `scan:${id}:${tries}`

const isMine = ({ id, tries }: PageRow) =>
  and(eq(scanPages.id, id), eq(scanPages.tries, tries), eq(scanPages.state, 'working'))

/** The next page that is not read yet; null when there is none. A worker that died has left its page and a hold. */
export function claimPage(deps: ScanDeps, row: ScanRow): Promise<PageRow | null> {
  return inTransaction(deps, row, async (tx) => {
    const [next] = await tx
      .select()
      .from(scanPages)
      .where(and(eq(scanPages.fileId, row.fileId), inArray(scanPages.state, ['waiting', 'working'])))
      .orderBy(asc(scanPages.number))
      .limit(1)
      .for('update')
    if (!next) return null
    const isLeft = next.state === 'working'
    if (isLeft) await release(tx, holdKey(next))
    const [page] = await tx
      .update(scanPages)
      .set({
        state: 'working',
        instance: deps.instance.id,
        tries: next.tries + 1,
        crashes: next.crashes + (isLeft ? 1 : 0),
        error: null,
      })
      .where(eq(scanPages.id, next.id))
      .returning()
    return page ?? null
  })
}

/** The hold ends with this process: what it reads is stored by it or by nobody. */
export const holdPage = (deps: ScanDeps, row: ScanRow, page: PageRow): Promise<HoldOutcome> =>
  retryWhileUnavailable(async () => {
    const key = holdKey(page)
    const { instance } = deps
    const outcome = await hold(deps.db, {
      ...{ key, userId: row.userId, kind: 'scan', symbols: row.pagePrice, instance: instance.id },
    })
    return outcome === 'repeated' ? 'held' : outcome
  })

/** Stores the text and charges for it in one transaction. A page without text costs nothing. */
export function storePage(
  deps: ScanDeps,
  row: ScanRow,
  page: PageRow,
  read: ReadPage | null,
  model: ScanModel,
): Promise<void> {
  return inTransaction(deps, row, async (tx) => {
    const text = read?.text ?? ''
    const [stored] = await tx
      .update(scanPages)
      .set({ state: 'ready', instance: null, text, error: null, crashes: 0 })
      .where(isMine(page))
      .returning({ id: scanPages.id })
    if (!stored) throw new OwnershipLost()
    const key = holdKey(page)
    const details = { modelId: model.id, note: `Стр. ${page.number}` }
    const outcome = read && text !== '' ? await settle(tx, key, row.pagePrice, details) : await release(tx, key)
    const charged = text !== '' && outcome === 'done' ? row.pagePrice : 0
    if (charged > 0) await tx.update(scanPages).set({ charged }).where(eq(scanPages.id, page.id))
    if (read)
      await recordCall(tx, { kind: 'scan', userId: row.userId, model }, costOfTokens(model, read.usage, read.sizes))
  })
}

/** The owner of the service pays for every try, so a page is not tried without end. Its workers that died count too. */
export const MAX_FAILED_TRIES = 3
/** Being stopped by its owner again and again is no failure, but the model is paid each time. */
export const MAX_CLAIMS = 20
export const NO_MORE = 'Больше эта страница не читается: загрузите её отдельным файлом, снимком почётче.'

/** A failed page costs nothing. */
export async function failPage(deps: ScanDeps, row: ScanRow, page: PageRow, error: string): Promise<void> {
  try {
    await inTransaction(deps, row, async (tx) => {
      const crashes = page.crashes + 1
      const shown =
        crashes < MAX_FAILED_TRIES && page.tries <= MAX_CLAIMS
          ? error
          : `${error.replace(/ Повторите\.$/, '')} ${NO_MORE}`
      await tx.update(scanPages).set({ state: 'failed', instance: null, crashes, error: shown }).where(isMine(page))
      await release(tx, holdKey(page))
    })
  } catch (lost) {
    // A deleted file has no row that would release it later.
    if (lost instanceof OwnershipLost) await retryWhileUnavailable(() => release(deps.db, holdKey(page)))
    throw lost
  }
}

/** Locks the balance first, as deleting a file does, then checks that the scan is still this worker's. */
async function inTransaction<Result>(deps: ScanDeps, row: ScanRow, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return retryWhileUnavailable(() =>
    deps.db.transaction(async (tx) => {
      await expireGrantsOf(tx, row.userId)
      const [owned] = await tx.select({ id: scans.fileId }).from(scans).where(ownedBy(row)).for('share')
      if (!owned) throw new OwnershipLost()
      const result = await work(tx)
      publishScan(deps.publish, row)
      return result
    }),
  )
}

export function publishScan(publish: Publish, { userId, fileId }: Pick<ScanRow, 'userId' | 'fileId'>): void {
  afterCommit(() => {
    publish(userId, { topic: 'assistants', type: 'scan', data: { fileId } })
    publish(userId, { topic: 'profile', type: 'balance', data: null })
  })
}

/** Frees the pages of a scan that ends early, with their holds. */
export async function freePages(db: Db, fileId: string): Promise<void> {
  const left = await db
    .update(scanPages)
    .set({ state: 'waiting', instance: null })
    .where(and(eq(scanPages.fileId, fileId), eq(scanPages.state, 'working')))
    .returning({ id: scanPages.id, tries: scanPages.tries })
  for (const page of left) await release(db, holdKey(page))
}
