import { and, asc, eq, not, or } from 'drizzle-orm'
import type { ImageSkills } from '#contract/image-skills.ts'
import { type AdminModel, Model } from '#contract/models.ts'
import { SYMBOLS_PER_TOKEN, UNITS_PER_COST } from '#contract/models-admin.ts'
import type { Db } from '#server/db/client.ts'
import { models, settings } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { usualImageSkills } from '#server/llm/image-skills.ts'
import type { LlmUsage } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'

export type ModelRow = typeof models.$inferSelect

export async function listModels(ctx: Ctx, providers: Providers): Promise<(Model | AdminModel)[]> {
  const rows = await ctx.db.select().from(models).where(visible(ctx)).orderBy(asc(models.position), asc(models.id))
  const located = rows.map((row) => withCountry(providers, row))
  // `Model.parse` drops the provider and its costs for users who are not admins.
  return ctx.user.role === 'admin' ? located : located.map((row) => Model.parse(row))
}

/** With what the provider says about it: where its data goes, and what its kind of models usually can do. */
export const withCountry = (providers: Pick<Providers, 'countryOf' | 'list'>, row: ModelRow): AdminModel => ({
  ...row,
  country: providers.countryOf(row.provider),
  imageSkills: row.kind === 'image' ? imageSkillsOf(providers, row) : null,
  hasOwnSkills: row.imageSkills !== null,
})

export function imageSkillsOf(
  { list }: Pick<Providers, 'list'>,
  { provider, providerModel, imageSkills }: Pick<ModelRow, 'provider' | 'providerModel' | 'imageSkills'>,
): ImageSkills {
  return imageSkills ?? usualImageSkills(list().find(({ name }) => name === provider)?.kind, providerModel)
}

export async function readModel(ctx: Ctx, id: string): Promise<ModelRow> {
  const [model] = await ctx.db
    .select()
    .from(models)
    .where(and(eq(models.id, id), visible(ctx)))
  if (!model) throw notFound('Такой модели нет')
  return model
}

const visible = ({ user }: Ctx) => (user.role === 'admin' ? undefined : eq(models.hidden, false))

export async function firstVisibleModelId(db: Db): Promise<string | null> {
  const [model] = await db
    .select({ id: models.id })
    .from(models)
    .where(and(eq(models.hidden, false), eq(models.kind, 'text')))
    .orderBy(asc(models.position), asc(models.id))
    .limit(1)
  return model?.id ?? null
}

/** The model with this id or provider's name; without one, the default model, else the first visible. */
export async function pickTextModel(ctx: Ctx, wanted: string | undefined, byDefault: string) {
  const usable = await ctx.db
    .select()
    .from(models)
    .where(and(eq(models.hidden, false), eq(models.kind, 'text')))
    .orderBy(asc(models.position), asc(models.id))
  const named = (name: string) => usable.find(({ id, providerModel }) => id === name || providerModel === name)
  const model =
    wanted === undefined
      ? (named(byDefault) ?? (await visibleSuccessorOf(ctx.db, byDefault, usable)) ?? usable[0])
      : named(wanted)
  if (!model) throw notFound('Такой модели нет')
  return model
}

/** The visible successor of a default model that its provider has switched off. */
async function visibleSuccessorOf(db: Db, name: string, usable: ModelRow[]): Promise<ModelRow | undefined> {
  const [gone] = await db
    .select({ successorId: models.successorId })
    .from(models)
    .where(and(or(eq(models.id, name), eq(models.providerModel, name)), eq(models.hidden, true)))
  return usable.find(({ id }) => id === gone?.successorId)
}

/** The model chosen in the settings while it is visible, else the first visible. */
export async function usualModelId(db: Db, userId: string): Promise<string | null> {
  const [chosen] = await db
    .select({ id: models.id })
    .from(settings)
    .innerJoin(models, and(eq(models.id, settings.threadModel), not(models.hidden), eq(models.kind, 'text')))
    .where(eq(settings.userId, userId))
  return chosen?.id ?? firstVisibleModelId(db)
}

const MILLION = 1_000_000
/** Anthropic takes a quarter more for input that it writes to its cache; no other provider takes more. */
const CACHE_WRITE_EXTRA = 0.25

export type TokenPrices = Pick<ModelRow, 'costInput' | 'costOutput' | 'costCurrency'> & { costCached?: number | null }

/** The owner's cost of an answer: by the provider's token count, else estimated from its symbols. */
export function costOfTokens(model: TokenPrices, usage: LlmUsage | null, sizes: { input: number; output: number }) {
  const inputTokens = usage?.inputTokens ?? Math.ceil(sizes.input / SYMBOLS_PER_TOKEN)
  const outputTokens = usage?.outputTokens ?? Math.ceil(sizes.output / SYMBOLS_PER_TOKEN)
  const cachedTokens = Math.min(inputTokens, usage?.cachedTokens ?? 0)
  const { costInput, costOutput, costCurrency, costCached } = model
  const known = costInput !== null && costOutput !== null
  const saved = known ? cachedTokens * (costInput - (costCached ?? costInput)) : 0
  const written = known ? Math.min(inputTokens - cachedTokens, usage?.cacheWriteTokens ?? 0) * costInput : 0
  return {
    inputTokens,
    outputTokens,
    ...(usage?.thoughtTokens && { thoughtTokens: usage.thoughtTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
    tokensGuessed: usage === null,
    cost: known
      ? (inputTokens * costInput - saved + written * CACHE_WRITE_EXTRA + outputTokens * costOutput) / MILLION
      : null,
    costCurrency: known ? costCurrency : null,
  }
}

type UnitPrice = Pick<ModelRow, 'costOutput' | 'costCurrency'>

/** The owner's cost of images or minutes; null where the owner has set no price. */
export function costOfUnits({ costOutput, costCurrency }: UnitPrice, count: number) {
  return costOutput === null || costCurrency === null
    ? { cost: null, costCurrency: null }
    : { cost: (costOutput * count) / UNITS_PER_COST, costCurrency }
}
