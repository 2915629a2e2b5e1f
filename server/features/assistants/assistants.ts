import { and, eq } from 'drizzle-orm'
import { type Assistant, type AssistantChange, type AssistantDraft, MAX_ASSISTANTS } from '#contract/assistants.ts'
import type { Db } from '#server/db/client.ts'
import { assistants, files, models, users } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { forgetBytes } from '../files/files.ts'
import { settleRemoved } from '../knowledge/allowance.ts'
import { findAssistant, findAssistants, noAssistant, ownAssistant, usableModel } from './to-assistant.ts'

export function listAssistants({ db, user }: Ctx): Promise<Assistant[]> {
  return findAssistants(db, eq(assistants.userId, user.id))
}

export function readAssistant({ db, user }: Ctx, id: string): Promise<Assistant> {
  return findAssistant(db, user.id, id)
}

export async function createAssistant(ctx: Ctx, draft: AssistantDraft): Promise<Assistant> {
  const { db, user } = ctx
  return db.transaction(async (tx) => {
    // One after another for one person, so that parallel ones do not each find the same room.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update')
    if ((await tx.$count(assistants, eq(assistants.userId, user.id))) >= MAX_ASSISTANTS) throw tooMany()
    await checkModel(tx, draft.modelId)
    const id = newId()
    await tx.insert(assistants).values({ id, userId: user.id, ...draft })
    publishAssistant(ctx, id)
    return findAssistant(tx, user.id, id)
  })
}

const tooMany = () =>
  new AppError('conflict', `Ассистентов может быть не больше ${MAX_ASSISTANTS}. Удалите тех, кто больше не нужен.`)

export async function updateAssistant(ctx: Ctx, id: string, change: AssistantChange): Promise<Assistant> {
  const { db, user } = ctx
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ modelId: assistants.modelId })
      .from(assistants)
      .where(ownAssistant(user.id, id))
      .for('no key update')
    if (!before) throw noAssistant()
    // A model that was hidden since may stay: what its owner changes is something else.
    if (change.modelId !== undefined && change.modelId !== before.modelId) await checkModel(tx, change.modelId)
    await tx
      .update(assistants)
      .set({ ...change, updatedAt: new Date() })
      .where(ownAssistant(user.id, id))
    publishAssistant(ctx, id)
    return findAssistant(tx, user.id, id)
  })
}

/** Deletes it with its files and their passages. Its threads stay, and go on without it. */
export async function deleteAssistant(ctx: Ctx, storage: Storage, id: string): Promise<{ id: string }> {
  const { db, user } = ctx
  const keys = await db.transaction(async (tx) => {
    const [gone] = await tx.delete(assistants).where(ownAssistant(user.id, id)).returning({ id: assistants.id })
    if (!gone) throw noAssistant()
    const own = and(eq(files.assistantId, id), eq(files.userId, user.id))
    await settleRemoved(tx, user.id, own)
    const rows = await tx.delete(files).where(own).returning({ key: files.storageKey })
    publishAssistant(ctx, id, 'removed')
    return rows.map(({ key }) => key)
  })
  for (const key of keys) await forgetBytes(storage, key)
  return { id }
}

/** A hidden model is no model to anybody here; one that is not for assistants is a mistake. */
export async function checkModel(db: Db, id: string | null): Promise<void> {
  if (id === null) return
  const [model] = await db
    .select({ hidden: models.hidden, kind: models.kind, isUsable: models.canUseWithAssistant })
    .from(models)
    .where(eq(models.id, id))
  if (!model || model.hidden) throw notFound('Такой модели нет')
  if (model.kind !== 'text' || !model.isUsable) {
    throw new AppError('bad_request', 'Поле modelId: эта модель не работает с ассистентами. Выберите другую.', {
      field: 'modelId',
    })
  }
}

/** The model a chat with it begins with; null when the assistant is not the caller's. */
export async function assistantModel(db: Db, userId: string, id: string): Promise<{ modelId: string | null } | null> {
  const [row] = await db
    .select({ modelId: models.id })
    .from(assistants)
    .leftJoin(models, and(eq(models.id, assistants.modelId), usableModel))
    .where(ownAssistant(userId, id))
  return row ?? null
}

export function publishAssistant({ publish, user }: Ctx, id: string, type: 'changed' | 'removed' = 'changed'): void {
  afterCommit(() => publish(user.id, { topic: 'assistants', type, data: { id } }))
}
