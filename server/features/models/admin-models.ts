import { asc, eq } from 'drizzle-orm'
import type { AdminModel } from '#contract/models.ts'
import type { ModelChange, ModelDraft } from '#contract/models-admin.ts'
import { putInOrder } from '#server/db/positions.ts'
import { models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { hear } from '#server/llm/hear.ts'
import type { Providers } from '#server/llm/providers.ts'

/** What the owner does with models. Who may call is the contract's word. */

export async function createModel(ctx: Ctx, providers: Providers, draft: ModelDraft): Promise<AdminModel> {
  checkProvider(providers, draft.provider)
  await checkFallback(ctx, draft.id, draft.fallbackId)
  const [model] = await ctx.db.insert(models).values(draft).onConflictDoNothing().returning()
  if (!model) throw new AppError('conflict', 'Модель с таким идентификатором уже есть', { field: 'id' })
  return model
}

export async function updateModel(
  ctx: Ctx,
  providers: Providers,
  id: string,
  change: ModelChange,
): Promise<AdminModel> {
  if (change.provider !== undefined) checkProvider(providers, change.provider)
  await checkFallback(ctx, id, change.fallbackId)
  if (Object.keys(change).length === 0) throw new AppError('bad_request', 'Изменений нет: назовите хотя бы одно поле')
  const [model] = await ctx.db.update(models).set(change).where(eq(models.id, id)).returning()
  if (!model) throw notFound('Такой модели нет')
  return model
}

export async function reorderModels({ db }: Ctx, ids: string[]): Promise<AdminModel[]> {
  await putInOrder(db, models, ids)
  return db.select().from(models).orderBy(asc(models.position), asc(models.id))
}

export async function deleteModel(ctx: Ctx, id: string): Promise<AdminModel> {
  const [model] = await ctx.db.delete(models).where(eq(models.id, id)).returning()
  if (!model) throw notFound('Такой модели нет')
  return model
}

export async function offerOf(providers: Providers, name: string) {
  knownProvider(providers, name)
  return providers.offer(name)
}

const QUESTION = 'Ответь одним словом: работает?'
const CHECK_MS = 30_000
const ENOUGH = 200

/** A real question, as short as can be, straight to the provider: nothing is charged to anybody here. */
export async function checkModel(providers: Providers, name: string, providerModel: string) {
  knownProvider(providers, name)
  const started = performance.now()
  const request = { model: providerModel, messages: [{ role: 'user' as const, content: QUESTION }] }
  const text = await hear(providers.llm(name), request, AbortSignal.timeout(CHECK_MS), ENOUGH)
  return { ms: Math.round(performance.now() - started), text }
}

function knownProvider(providers: Providers, name: string): void {
  if (!providers.list().some((provider) => provider.name === name)) throw notFound('Такого провайдера нет')
}

function checkProvider(providers: Providers, name: string): void {
  if (providers.list().some((provider) => provider.name === name)) return
  throw new AppError('bad_request', 'Поле provider: такой провайдер не подключён', { field: 'provider' })
}

async function checkFallback(ctx: Ctx, id: string, fallbackId: string | null | undefined): Promise<void> {
  if (!fallbackId) return
  const [found] = await ctx.db.select({ id: models.id }).from(models).where(eq(models.id, fallbackId))
  if (found && found.id !== id) return
  throw new AppError('bad_request', 'Поле fallbackId: нужна другая модель из списка', { field: 'fallbackId' })
}
