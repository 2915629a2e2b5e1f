import { and, asc, eq, not } from 'drizzle-orm'
import { inCountryLabel } from '#contract/countries.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
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

/** For an assistant that is bound to the models of one country. */
export function assertInCountry(providerCountries: ProviderCountries, country: string | null, model: Provided): void {
  if (country !== null && !isInCountry(providerCountries, country, model)) throw wrongCountryError(country)
}

export const wrongCountryError = (country: string) =>
  new AppError(
    'conflict',
    `Этот ассистент отвечает только моделями, данные которых остаются ${inCountryLabel(country)}. Выберите такую модель.`,
    { field: 'modelId' },
  )

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
