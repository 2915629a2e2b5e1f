import { and, asc, eq, not } from 'drizzle-orm'
import { inCountryLabel } from '#contract/countries.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Providers } from '#server/llm/providers.ts'
import { usualModelId } from './models.ts'

export type ProviderCountries = Pick<Providers, 'countryOf' | 'home'>

/** Models whose data stays in a country; null for all. */
export interface AllowedModels {
  providerCountries: ProviderCountries
  country: string | null
}

interface Provided {
  provider: string
}

/** An unknown country counts as another one. */
export const isOutsideHome = ({ countryOf, home }: ProviderCountries, { provider }: Provided) =>
  countryOf(provider) !== home

export const isInCountry = ({ countryOf }: ProviderCountries, country: string | null, { provider }: Provided) =>
  country === null || countryOf(provider) === country

/** For an assistant or a project that is bound to the models of one country. */
export function assertInCountry(providerCountries: ProviderCountries, country: string | null, model: Provided): void {
  if (country !== null && !isInCountry(providerCountries, country, model)) throw wrongCountryError(country)
}

export const wrongCountryError = (country: string) =>
  new AppError(
    'conflict',
    `Здесь отвечают только модели, данные которых остаются ${inCountryLabel(country)}. Выберите такую модель.`,
    { field: 'modelId' },
  )

interface LibraryModel {
  modelId: string | null
  country: string | null
}

interface Bound {
  country: string | null
}

/** The country of a chat's assistant and project. Both keep their data, so two different ones leave no model. */
export function commonCountry(assistant: Bound | null, project: Bound | null): string | null {
  const [first, second] = [assistant?.country ?? null, project?.country ?? null]
  if (first !== null && second !== null && first !== second)
    throw new AppError(
      'conflict',
      `Данные ассистента остаются ${inCountryLabel(first)}, а данные проекта ${inCountryLabel(second)}. Уберите из чата ассистента или переместите чат из проекта.`,
    )
  return first ?? second
}

/** The user's usual model if its data stays in the country, else the first visible model whose data does. */
export async function usualModelIn(
  db: Db,
  userId: string,
  { providerCountries, country }: AllowedModels,
): Promise<string | null> {
  const usual = await usualModelId(db, userId)
  if (country === null) return usual
  const visible = await db
    .select({ id: models.id, provider: models.provider })
    .from(models)
    .where(and(not(models.hidden), eq(models.kind, 'text')))
    .orderBy(asc(models.position), asc(models.id))
  const allowed = visible.filter((model) => isInCountry(providerCountries, country, model))
  const chosen = allowed.find(({ id }) => id === usual) ?? allowed[0]
  if (!chosen) throw wrongCountryError(country)
  return chosen.id
}

/** Models that an assistant or a project may have. */
export const usableInLibrary = and(
  eq(models.hidden, false),
  eq(models.kind, 'text'),
  eq(models.canUseWithAssistant, true),
)

/** A model that was hidden later may stay while other fields change. */
export async function checkChangedModel(
  db: Db,
  before: LibraryModel,
  change: Partial<LibraryModel>,
  providerCountries: ProviderCountries,
): Promise<void> {
  const { modelId, country } = { ...before, ...change }
  if (modelId !== before.modelId || country !== before.country)
    await checkLibraryModel(db, modelId, { providerCountries, country })
}

/** A hidden model is not found; one that does not work with instructions and files, or of another country, is a validation error. */
export async function checkLibraryModel(
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
    throw new AppError('bad_request', 'Эта модель не работает с инструкциями и файлами. Выберите другую.', {
      field: 'modelId',
    })
  }
  assertInCountry(providerCountries, country, model)
}
