import type { Model } from '#contract/models.ts'
import { textModels, usualModel } from '#web/features/models/queries.ts'

/** Models that a message can be sent to: text models, then those that draw. */
export function askableModels<Given extends Model>(models: readonly Given[]): Given[] {
  return [...textModels(models), ...models.filter(({ kind, hidden }) => kind === 'image' && !hidden)]
}

/** Models whose data stays in a country; null for all. */
export function modelsIn<Given extends Pick<Model, 'country'>>(models: readonly Given[], only: string | null): Given[] {
  return models.filter(({ country }) => only === null || country === only)
}

export interface ChosenModel<Given extends Model = Model> {
  /** Null when the model is deleted or hidden: the user must choose another. */
  model: Given | null
  name: string
}

export function findThreadModel<Given extends Model>(
  models: readonly Given[],
  wanted: { id: string; name: string } | null,
): ChosenModel<Given> {
  const model = askableModels(models).find(({ id }) => id === wanted?.id) ?? null
  return { model, name: model?.name ?? wanted?.name ?? 'Модель' }
}

/** The model of a new chat: the one from the settings, else the first. */
export function defaultModel<Given extends Model>(
  models: readonly Given[],
  settingId: string | null,
): ChosenModel<Given> {
  const model = usualModel(models, settingId)
  return { model, name: model?.name ?? 'Нет моделей' }
}
