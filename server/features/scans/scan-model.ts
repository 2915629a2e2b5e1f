import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { inCountryLabel } from '#contract/countries.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import type { Providers } from '#server/llm/providers.ts'
import { readMaskingSettings } from '../answers/masking.ts'
import { countryOfLibrary } from '../knowledge/deps.ts'
import { isInCountry, isOutsideHome } from '../models/countries.ts'
import type { ModelRow } from '../models/models.ts'

export interface ScanModel extends ModelRow {
  pagePrice: number
}

export type ChosenModel = { model: ScanModel } | { refusal: string }

const NO_MODEL = 'Чтение сканов пока не подключено. Напишите в поддержку или загрузите файл с текстом.'
const MASKED =
  'Вы скрываете личные данные от зарубежных моделей, а на картинке их не скрыть. Модели, данные которой остаются в стране, для чтения сканов нет. Можно выключить скрытие в профиле или загрузить файл с текстом.'
const elsewhere = (country: string) =>
  `Данные здесь остаются ${inCountryLabel(country)}, а модели для чтения сканов там нет. Загрузите файл с текстом.`

/**
 * The first model for scans in the owner's order that may see this file: a picture cannot be masked, so it stays in the
 * country for a user who masks personal data, as it does for an assistant or a project that is bound to a country.
 */
export async function chooseScanModel(
  db: Db,
  providers: Providers,
  { userId, libraryId }: { userId: string; libraryId: string | null },
): Promise<ChosenModel> {
  const known = new Set(providers.list().map(({ name }) => name))
  const rows = await db
    .select()
    .from(models)
    .where(and(eq(models.kind, 'scan'), eq(models.hidden, false), isNotNull(models.pagePrice)))
    .orderBy(asc(models.position), asc(models.id))
  const usable = rows.filter(({ provider }) => known.has(provider))
  if (usable.length === 0) return { refusal: NO_MODEL }
  const country = libraryId === null ? null : await countryOfLibrary(db, libraryId)
  const inCountry = usable.filter((model) => isInCountry(providers, country, model))
  if (country !== null && inCountry.length === 0) return { refusal: elsewhere(country) }
  const isMasking = (await readMaskingSettings(db, userId)) !== null
  const model = inCountry.find((one) => !(isMasking && isOutsideHome(providers, one)))
  return model ? { model: { ...model, pagePrice: model.pagePrice ?? 0 } } : { refusal: MASKED }
}
