import { and, desc, eq, type SQL } from 'drizzle-orm'
import { type Assistant, type AssistantChange, type AssistantDraft, MAX_ASSISTANTS } from '#contract/assistants.ts'
import type { ThreadAssistant } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { assistants, models } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { deleteBytes } from '../files/files.ts'
import {
  deleteLibraryFiles,
  filesOfLibraries,
  type LibraryKind,
  librarySymbols,
  readySymbols,
  symbolsOfReady,
} from '../files/library.ts'
import { searchedByMeaning } from '../knowledge/search-words.ts'
import { checkChangedModel, checkLibraryModel, type ProviderCountries, usableInLibrary } from '../models/countries.ts'

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
    await lockUser(tx, user.id)
    if ((await tx.$count(assistants, eq(assistants.userId, user.id))) >= MAX_ASSISTANTS) throw tooMany()
    await checkLibraryModel(tx, draft.modelId, { providerCountries, country: draft.country })
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
    await checkChangedModel(tx, before, change, providerCountries)
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
    publishAssistant(ctx, id, 'removed')
    return deleteLibraryFiles(tx, user.id, id)
  })
  for (const key of keys) await deleteBytes(storage, key)
  return { id }
}

/** The default model of its threads and the country it is bound to; null when the assistant is not the caller's. */
export async function assistantModel(db: Db, userId: string, id: string) {
  const [row] = await db
    .select({ modelId: models.id, country: assistants.country, searchWords: assistants.searchWords })
    .from(assistants)
    .leftJoin(models, and(eq(models.id, assistants.modelId), usableInLibrary))
    .where(ownAssistant(userId, id))
  return row ?? null
}

function publishAssistant({ publish, user }: Ctx, id: string, type: 'changed' | 'removed' = 'changed'): void {
  afterCommit(() => publish(user.id, { topic: 'assistants', type, data: { id } }))
}

export const assistantLibrary: LibraryKind = {
  at: 'У ассистента',
  lock: async (db, userId, id) => {
    const own = db.select({ id: assistants.id }).from(assistants).where(ownAssistant(userId, id))
    if ((await own.for('key share')).length === 0) throw assistantNotFound()
  },
  publish: publishAssistant,
}

const ownAssistant = (userId: string, id: string) => and(eq(assistants.id, id), eq(assistants.userId, userId))
export const assistantNotFound = () => notFound('Такого ассистента нет')

/** Newest first. */
async function findAssistants(db: Db, where: SQL | undefined): Promise<Assistant[]> {
  const rows = await db
    .select({ assistant: assistants, model: { id: models.id, name: models.name } })
    .from(assistants)
    .leftJoin(models, and(eq(models.id, assistants.modelId), usableInLibrary))
    .where(where)
    .orderBy(desc(assistants.createdAt), desc(assistants.id))
  const ids = rows.map(({ assistant }) => assistant.id)
  const [byAssistant, byMeaning] = await Promise.all([filesOfLibraries(db, ids), searchedByMeaning(db, ids)])
  return rows.map(({ assistant: { userId: _, createdAt, updatedAt, ...assistant }, model }) => {
    const own = byAssistant.get(assistant.id) ?? []
    return {
      ...assistant,
      Model: model,
      files: own,
      symbols: librarySymbols(assistant, symbolsOfReady(own), byMeaning.has(assistant.id)),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }
  })
}

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
  const { instructions: _, searchWords: __, ...shown } = row
  const byMeaning = await searchedByMeaning(db, [id])
  return { id, ...shown, symbols: librarySymbols(row, await readySymbols(db, id), byMeaning.has(id)) }
}
