import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { EmbeddingAllowance } from '#contract/assistants.ts'
import { price } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { embeddingUse, filePassages, files, holds } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { expireGrantsOf, type HoldOutcome, hold, release, settleAtMost } from '../billing/ledger.ts'
import { type Embedder, findEmbedder, findEmbedderFor, type KnowledgeDeps } from './deps.ts'
import { passageHeading } from './passages.ts'

/** The first day of the current month in Minsk and Moscow. */
const thisMonth = sql<string>`date_trunc('month', money_day(now()))::date`
/** More than any hold. */
const ANY_AMOUNT = Number.MAX_SAFE_INTEGER

/** A text is cut to so many symbols before it is embedded. */
export const MAX_TEXT = 6000

export type ReserveOutcome = 'go' | 'waits' | Exclude<HoldOutcome, 'held'>

type Terms = Pick<KnowledgeDeps, 'freeSymbols'>
type FileRow = Awaited<ReturnType<typeof lockFile>>

/**
 * Counts the symbols of a file in its owner's month and holds the price of those beyond the free ones. Without the
 * owner's consent nothing is held, and the file waits with its price. A repeated call for the same file has no effect.
 */
export function reserveEmbedding(db: Db, terms: Terms, embedder: Embedder, fileId: string): Promise<ReserveOutcome> {
  return db.transaction(async (tx) => {
    const file = await lockFile(tx, fileId)
    if (!file) return 'waits'
    if (file.counted > 0 && (file.hold === null || (await isHeld(tx, file.hold)))) return 'go'
    if (file.counted > 0) await subtractUse(tx, file)
    const need = await symbolsToEmbed(tx, fileId)
    if (need === 0) return 'go'
    const { freeSymbols = Number.POSITIVE_INFINITY } = terms
    const free = Math.max(0, freeSymbols - (await readUse(tx, file.userId)))
    const cost = price(Math.max(0, need - free), 0, { inputRate: embedder.rate, outputRate: 0 })
    const set = (values: Partial<typeof files.$inferInsert>) => tx.update(files).set(values).where(eq(files.id, fileId))
    if (cost > 0 && !file.mayCharge) {
      await set({ price: cost })
      return 'waits'
    }
    const key = cost > 0 ? `index:${fileId}:${newId()}` : null
    const outcome = key ? await hold(tx, { key, userId: file.userId, kind: 'indexing', symbols: cost }) : 'held'
    if (outcome !== 'held') {
      await set({ price: cost, mayCharge: false })
      return outcome
    }
    await addUse(tx, file.userId, need)
    await tx
      .update(files)
      .set({ counted: need, countedMonth: thisMonth, hold: key, price: null })
      .where(eq(files.id, fileId))
    return 'go'
  })
}

/** Charges the hold when all vectors are stored. */
export async function settleEmbedding(db: Db, embedder: Embedder, fileId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const file = await lockFile(tx, fileId)
    if (!file?.hold) return false
    const charged = (await settleAtMost(tx, file.hold, ANY_AMOUNT, detailsOf(embedder.modelId))) ?? 0
    await tx
      .update(files)
      .set({ hold: null, charged: sql`${files.charged} + ${charged}` })
      .where(eq(files.id, fileId))
    return charged > 0
  })
}

/** Undoes the reservation after the provider failed. */
export async function releaseEmbedding(db: Db, fileId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const file = await lockFile(tx, fileId)
    if (!file) return
    if (file.hold) await release(tx, file.hold)
    await subtractUse(tx, file)
  })
}

/** Charges the holds of files that are deleted while they are embedded. Call it before the deletion. */
export async function settleDeletedFiles(db: Db, userId: string, which: SQL | undefined): Promise<void> {
  await expireGrantsOf(db, userId)
  const rows = await db
    .select({ hold: files.hold })
    .from(files)
    .where(and(which, isNotNull(files.hold)))
  for (const { hold: key } of rows) if (key) await settleAtMost(db, key, ANY_AMOUNT, detailsOf())
}

/** Records the owner's consent and holds the price; the caller then indexes the file again. */
export async function agreeToPrice(db: Db, deps: KnowledgeDeps, fileId: string): Promise<void> {
  const [file] = await db.select({ libraryId: files.libraryId }).from(files).where(eq(files.id, fileId))
  const embedder = await findEmbedderFor(db, deps, file?.libraryId ?? null)
  const [waiting] = await db
    .update(files)
    .set({ mayCharge: true })
    .where(and(eq(files.id, fileId), isNotNull(files.price)))
    .returning({ id: files.id })
  if (!embedder || !waiting) throw new AppError('conflict', 'Этот файл не ждёт оплаты.')
  const outcome = await reserveEmbedding(db, deps, embedder, fileId)
  if (outcome === 'cap')
    throw new AppError(
      'out_of_symbols',
      'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.',
    )
  if (outcome !== 'go') throw new AppError('out_of_symbols', 'На чтение этого файла не хватает символов.')
}

/** Null when files are searched by words only. */
export async function allowanceOf(db: Db, deps: KnowledgeDeps, userId: string): Promise<EmbeddingAllowance | null> {
  const embedder = await findEmbedder(db, deps)
  const { freeSymbols: free } = deps
  if (!embedder || free === undefined) return null
  return { free, left: Math.max(0, free - (await readUse(db, userId))), rate: embedder.rate }
}

const detailsOf = (modelId?: string) => ({
  note: 'Сверх бесплатного объёма месяца',
  ...(modelId ? { modelId } : {}),
})

/** Locks the balance before the file, as all of this feature does; so two files cannot use the same free symbols. */
async function lockFile(db: Db, fileId: string) {
  const [owner] = await db.select({ userId: files.userId }).from(files).where(eq(files.id, fileId))
  if (!owner) return null
  await expireGrantsOf(db, owner.userId)
  const { id, userId, counted, countedMonth, mayCharge } = files
  const [file] = await db
    .select({ id, userId, counted, countedMonth, mayCharge, hold: files.hold })
    .from(files)
    .where(eq(files.id, fileId))
    .for('update')
  return file ?? null
}

async function isHeld(db: Db, key: string): Promise<boolean> {
  return (await db.$count(holds, and(eq(holds.key, key), eq(holds.state, 'active')))) > 0
}

async function readUse(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ symbols: embeddingUse.symbols })
    .from(embeddingUse)
    .where(and(eq(embeddingUse.userId, userId), eq(embeddingUse.month, thisMonth)))
  return row?.symbols ?? 0
}

async function addUse(db: Db, userId: string, symbols: number): Promise<void> {
  await db
    .insert(embeddingUse)
    .values({ userId, month: thisMonth, symbols })
    .onConflictDoUpdate({
      target: [embeddingUse.userId, embeddingUse.month],
      set: { symbols: sql`${embeddingUse.symbols} + ${symbols}` },
    })
}

async function subtractUse(db: Db, { id, userId, counted, countedMonth }: NonNullable<FileRow>): Promise<void> {
  if (countedMonth)
    await db
      .update(embeddingUse)
      .set({ symbols: sql`greatest(0, ${embeddingUse.symbols} - ${counted})` })
      .where(and(eq(embeddingUse.userId, userId), eq(embeddingUse.month, countedMonth)))
  await db.update(files).set({ counted: 0, countedMonth: null, hold: null }).where(eq(files.id, id))
}

/** Only passages that never had a vector: replacing vectors of an earlier model is free of charge. */
async function symbolsToEmbed(db: Db, fileId: string): Promise<number> {
  const { place, section, text } = filePassages
  const rows = await db
    .select({ place, section, length: sql`length(${text})`.mapWith(Number), fileName: files.name })
    .from(filePassages)
    .innerJoin(files, eq(files.id, filePassages.fileId))
    .where(and(eq(filePassages.fileId, fileId), isNull(filePassages.embedder)))
  return rows.reduce((sum, row) => sum + Math.min(MAX_TEXT, passageHeading(row).length + 2 + row.length), 0)
}

/** Copies the vectors of an identical file of the same user. */
export async function reuseVectors(db: Db, embedder: Embedder, fileId: string): Promise<void> {
  await db.execute(sql`
    update file_passages target set embedding = source.embedding, embedder = source.embedder
    from file_passages source
    where target.file_id = ${fileId} and target.embedder is null
      and source.file_id = (
        select other.id from files me join files other
          on other.user_id = me.user_id and other.id <> me.id and other.name = me.name and other.symbols = me.symbols
            and other.state = 'ready' and other.assistant_id is not null and md5(other.content) = md5(me.content)
        where me.id = ${fileId} limit 1)
      and source.position = target.position and source.embedder = ${embedder.name}
      and source.text = target.text and source.section is not distinct from target.section`)
}
