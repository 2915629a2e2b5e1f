import { and, asc, desc, eq, inArray, type SQL, sum } from 'drizzle-orm'
import {
  type Assistant,
  type AssistantChange,
  type AssistantDraft,
  MAX_ASSISTANTS,
  PASSAGE_SYMBOLS,
  SEARCH_WORDS_SYMBOLS,
  WHOLE_SYMBOLS,
} from '#contract/assistants.ts'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { ThreadAssistant } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { assistants, files, models, users } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { attachmentColumns, deleteBytes, toAttachment } from '../files/files.ts'
import { settleDeletedFiles } from '../knowledge/allowance.ts'
import { searchedByMeaning } from '../knowledge/search-words.ts'
import { type AllowedModels, assertInCountry, type ProviderCountries } from '../models/countries.ts'

export function listAssistants({ db, user }: Ctx): Promise<Assistant[]> {
  return findAssistants(db, eq(assistants.userId, user.id))
}

export function readAssistant({ db, user }: Ctx, id: string): Promise<Assistant> {
  return findAssistant(db, user.id, id)
}

export async function createAssistant(
  ctx: Ctx,
  providerCountries: ProviderCountries,
  draft: AssistantDraft,
): Promise<Assistant> {
  const { db, user } = ctx
  return db.transaction(async (tx) => {
    // Locks the user: parallel requests must not exceed the limit together.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update')
    if ((await tx.$count(assistants, eq(assistants.userId, user.id))) >= MAX_ASSISTANTS) throw tooMany()
    await checkModel(tx, draft.modelId, { providerCountries, country: draft.country })
    const id = newId()
    await tx.insert(assistants).values({ id, userId: user.id, ...draft })
    publishAssistant(ctx, id)
    return findAssistant(tx, user.id, id)
  })
}

const tooMany = () =>
  new AppError('conflict', `Ассистентов может быть не больше ${MAX_ASSISTANTS}. Удалите тех, кто больше не нужен.`)

export async function updateAssistant(
  ctx: Ctx,
  providerCountries: ProviderCountries,
  id: string,
  change: AssistantChange,
): Promise<Assistant> {
  const { db, user } = ctx
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ modelId: assistants.modelId, country: assistants.country })
      .from(assistants)
      .where(ownAssistant(user.id, id))
      .for('no key update')
    if (!before) throw assistantNotFound()
    const { modelId, country } = { ...before, ...change }
    // A model that was hidden later may stay while other fields change.
    if (modelId !== before.modelId || country !== before.country)
      await checkModel(tx, modelId, { providerCountries, country })
    await tx
      .update(assistants)
      .set({ ...change, updatedAt: new Date() })
      .where(ownAssistant(user.id, id))
    publishAssistant(ctx, id)
    return findAssistant(tx, user.id, id)
  })
}

/** Its threads stay and continue without it. */
export async function deleteAssistant(ctx: Ctx, storage: Storage, id: string): Promise<{ id: string }> {
  const { db, user } = ctx
  const keys = await db.transaction(async (tx) => {
    const [deleted] = await tx.delete(assistants).where(ownAssistant(user.id, id)).returning({ id: assistants.id })
    if (!deleted) throw assistantNotFound()
    const own = and(eq(files.assistantId, id), eq(files.userId, user.id))
    await settleDeletedFiles(tx, user.id, own)
    const rows = await tx.delete(files).where(own).returning({ key: files.storageKey })
    publishAssistant(ctx, id, 'removed')
    return rows.map(({ key }) => key)
  })
  for (const key of keys) await deleteBytes(storage, key)
  return { id }
}

/** A hidden model is not found; one that is not for assistants, or of another country, is a validation error. */
export async function checkModel(
  db: Db,
  id: string | null,
  { providerCountries, country }: AllowedModels,
): Promise<void> {
  if (id === null) return
  const [model] = await db
    .select({
      hidden: models.hidden,
      kind: models.kind,
      isUsable: models.canUseWithAssistant,
      provider: models.provider,
    })
    .from(models)
    .where(eq(models.id, id))
  if (!model || model.hidden) throw notFound('Такой модели нет')
  if (model.kind !== 'text' || !model.isUsable) {
    throw new AppError('bad_request', 'Эта модель не работает с ассистентами. Выберите другую.', {
      field: 'modelId',
    })
  }
  assertInCountry(providerCountries, country, model)
}

/** The default model of its threads and the country it is bound to; null when the assistant is not the caller's. */
export async function assistantModel(db: Db, userId: string, id: string) {
  const [row] = await db
    .select({ modelId: models.id, country: assistants.country, searchWords: assistants.searchWords })
    .from(assistants)
    .leftJoin(models, and(eq(models.id, assistants.modelId), usableModel))
    .where(ownAssistant(userId, id))
  return row ?? null
}

export function publishAssistant({ publish, user }: Ctx, id: string, type: 'changed' | 'removed' = 'changed'): void {
  afterCommit(() => publish(user.id, { topic: 'assistants', type, data: { id } }))
}

export const ownAssistant = (userId: string, id: string) => and(eq(assistants.id, id), eq(assistants.userId, userId))
export const assistantNotFound = () => notFound('Такого ассистента нет')

/** Newest first. */
async function findAssistants(db: Db, where: SQL | undefined): Promise<Assistant[]> {
  const rows = await db
    .select({ assistant: assistants, model: { id: models.id, name: models.name } })
    .from(assistants)
    .leftJoin(models, and(eq(models.id, assistants.modelId), usableModel))
    .where(where)
    .orderBy(desc(assistants.createdAt), desc(assistants.id))
  const ids = rows.map(({ assistant }) => assistant.id)
  const [byAssistant, byMeaning] = await Promise.all([filesOf(db, ids), searchedByMeaning(db, ids)])
  return rows.map(({ assistant: { userId: _, createdAt, updatedAt, ...assistant }, model }) => {
    const own = byAssistant.get(assistant.id) ?? []
    return {
      ...assistant,
      Model: model,
      files: own,
      symbols: symbolsOf(assistant, symbolsOfReady(own), byMeaning.has(assistant.id)),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }
  })
}

const usableModel = and(eq(models.hidden, false), eq(models.kind, 'text'), eq(models.canUseWithAssistant, true))

async function findAssistant(db: Db, userId: string, id: string): Promise<Assistant> {
  const [found] = await findAssistants(db, ownAssistant(userId, id))
  if (!found) throw assistantNotFound()
  return found
}

/** Null when it was deleted. */
export async function threadAssistant(db: Db, userId: string, id: string): Promise<ThreadAssistant | null> {
  const { name, avatar, starters, instructions, country, searchWords } = assistants
  const [row] = await db
    .select({ name, avatar, starters, instructions, country, searchWords })
    .from(assistants)
    .where(ownAssistant(userId, id))
  if (!row) return null
  const [read] = await db
    .select({ symbols: sum(files.symbols).mapWith(Number) })
    .from(files)
    .where(and(eq(files.assistantId, id), eq(files.state, 'ready')))
  const { instructions: _, searchWords: __, ...shown } = row
  const byMeaning = await searchedByMeaning(db, [id])
  return { id, ...shown, symbols: symbolsOf(row, read?.symbols ?? 0, byMeaning.has(id)) }
}

/** Passages are longer than the text of the files: headings, numbers and overlaps are added. */
const PASSAGE_OVERHEAD = { share: 1.3, block: 600 }

function symbolsOf(
  { instructions, searchWords }: Pick<typeof assistants.$inferSelect, 'instructions' | 'searchWords'>,
  ready: number,
  isByMeaning: boolean,
): ThreadAssistant['symbols'] {
  const most = Math.ceil(ready * PASSAGE_OVERHEAD.share) + PASSAGE_OVERHEAD.block
  return {
    instructions: countSymbols(instructions),
    passages: ready === 0 ? 0 : Math.min(PASSAGE_SYMBOLS, most),
    searchWords: searchWords && !isByMeaning && ready > WHOLE_SYMBOLS ? SEARCH_WORDS_SYMBOLS : 0,
  }
}

const symbolsOfReady = (own: Attachment[]) =>
  own.reduce((all, { state, symbols }) => all + (state === 'ready' ? (symbols ?? 0) : 0), 0)

async function filesOf(db: Db, ids: string[]): Promise<Map<string, Attachment[]>> {
  const byAssistant = new Map<string, Attachment[]>()
  if (ids.length === 0) return byAssistant
  const rows = await db
    .select({ assistantId: files.assistantId, file: attachmentColumns })
    .from(files)
    .where(inArray(files.assistantId, ids))
    .orderBy(asc(files.createdAt), asc(files.id))
  for (const { assistantId, file } of rows) {
    if (assistantId) byAssistant.set(assistantId, [...(byAssistant.get(assistantId) ?? []), toAttachment(file)])
  }
  return byAssistant
}
