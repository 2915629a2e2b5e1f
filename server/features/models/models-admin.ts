import { asc, eq } from 'drizzle-orm'
import type { AdminModel } from '#contract/models.ts'
import type { ListedProvider, ModelChange, ModelDraft } from '#contract/models-admin.ts'
import { putInOrder } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { LlmError } from '#server/llm/errors.ts'
import { collectText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { audit, namesBeforeAfter } from '../audit/audit.ts'
import { withCountry } from './models.ts'

export async function createModel(ctx: Ctx, providers: Providers, draft: ModelDraft): Promise<AdminModel> {
  checkProvider(providers, draft)
  await checkFallback(ctx, draft.id, draft.fallbackId)
  await checkSuccessor(ctx, draft.id, draft.kind, draft.successorId)
  return ctx.db.transaction(async (tx) => {
    const [model] = await tx.insert(models).values(draft).onConflictDoNothing().returning()
    if (!model) throw new AppError('conflict', 'Модель с таким идентификатором уже есть', { field: 'id' })
    await audit(ctx, { action: 'model.create', kind: 'model', target: model.id, after: draft })
    return withCountry(providers, model)
  })
}

export async function updateModel(
  ctx: Ctx,
  providers: Providers,
  id: string,
  change: ModelChange,
): Promise<AdminModel> {
  await checkFallback(ctx, id, change.fallbackId)
  if (Object.keys(change).length === 0) throw new AppError('bad_request', 'Изменений нет: назовите хотя бы одно поле')
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(models).where(eq(models.id, id)).for('update')
    if (before && (change.provider ?? change.kind) !== undefined) checkProvider(providers, { ...before, ...change })
    await checkSuccessor({ ...ctx, db: tx }, id, change.kind ?? before?.kind, change.successorId)
    const [after] = await tx.update(models).set(change).where(eq(models.id, id)).returning()
    if (!after) throw notFound('Такой модели нет')
    await audit(ctx, { action: 'model.change', kind: 'model', target: id, before, after })
    return withCountry(providers, after)
  })
}

export async function reorderModels(ctx: Ctx, providers: Providers, ids: string[]): Promise<AdminModel[]> {
  return ctx.db.transaction(async (tx) => {
    const before = await inOrder(tx)
    await putInOrder(tx, models, ids)
    const after = await inOrder(tx)
    await audit(ctx, { action: 'model.order', kind: 'model', target: null, ...namesBeforeAfter(before, after) })
    return after.map((model) => withCountry(providers, model))
  })
}

const inOrder = (db: Db) => db.select().from(models).orderBy(asc(models.position), asc(models.id))

export async function deleteModel(ctx: Ctx, providers: Providers, id: string): Promise<AdminModel> {
  return ctx.db.transaction(async (tx) => {
    const [model] = await tx.delete(models).where(eq(models.id, id)).returning()
    if (!model) throw notFound('Такой модели нет')
    await audit(ctx, { action: 'model.delete', kind: 'model', target: id, before: model })
    return withCountry(providers, model)
  })
}

const kindsOf1 = new Set<string>(['demo', 'openai', 'yandex', 'gigachat', 'anthropic', 'gemini'])
const modelKindsOf1 = new Set<string>(['text', 'image', 'transcription', 'embedding'])

export const listProviders = (providers: Providers): ListedProvider[] =>
  providers.list().map((provider) => ({
    ...provider,
    ...(kindsOf1.has(provider.kind) ? { newKind: null } : { kind: 'openai', newKind: provider.kind }),
    modelKinds: provider.modelKinds.filter((kind) => modelKindsOf1.has(kind)),
    newModelKinds: provider.modelKinds.filter((kind) => !modelKindsOf1.has(kind)),
  }))

export async function offeredModels(providers: Providers, name: string) {
  assertProviderExists(providers, name)
  return forOwner(providers.offer(name))
}

const QUESTION = 'Ответь одним словом: работает?'
const CHECK_MS = 30_000
const ENOUGH = 200

/** Sends a short question straight to the provider; no user is charged. */
export async function checkModel(ctx: Ctx, providers: Providers, name: string, providerModel: string) {
  assertProviderExists(providers, name)
  await audit(ctx, { action: 'model.check', kind: 'provider', target: name, note: providerModel })
  const started = performance.now()
  const request = {
    model: providerModel,
    messages: [{ role: 'user' as const, content: QUESTION }],
    userId: ctx.user.id,
  }
  const text = await forOwner(collectText(providers.llm(name), request, AbortSignal.timeout(CHECK_MS), ENOUGH))
  return { ms: Math.round(performance.now() - started), text }
}

/** Customers are not told about keys and accounts of providers; here the cause is named. */
async function forOwner<Result>(call: Promise<Result>): Promise<Result> {
  return call.catch((error: unknown) => {
    throw error instanceof LlmError ? new AppError('model_failed', error.ownerSentence) : error
  })
}

function assertProviderExists(providers: Providers, name: string): void {
  if (!providers.list().some((provider) => provider.name === name)) throw notFound('Такого провайдера нет')
}

function checkProvider(providers: Providers, { provider: name, kind }: Pick<ModelDraft, 'provider' | 'kind'>): void {
  const provider = providers.list().find((one) => one.name === name)
  if (!provider) throw new AppError('bad_request', 'Такой провайдер не подключён', { field: 'provider' })
  if (provider.modelKinds.includes(kind)) return
  throw new AppError('bad_request', 'У этого провайдера таких моделей нет, выберите другой вид', {
    field: 'kind',
  })
}

async function checkSuccessor(
  ctx: Ctx,
  id: string,
  kind: AdminModel['kind'] | undefined,
  successorId: string | null | undefined,
): Promise<void> {
  if (!successorId) return
  const [found] = await ctx.db.select().from(models).where(eq(models.id, successorId))
  if (found && found.id !== id && found.kind === kind) return
  throw new AppError('bad_request', 'Нужна другая модель того же вида', { field: 'successorId' })
}

async function checkFallback(ctx: Ctx, id: string, fallbackId: string | null | undefined): Promise<void> {
  if (!fallbackId) return
  const [found] = await ctx.db.select({ id: models.id }).from(models).where(eq(models.id, fallbackId))
  if (found && found.id !== id) return
  throw new AppError('bad_request', 'Нужна другая модель из списка', { field: 'fallbackId' })
}
