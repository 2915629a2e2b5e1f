import type { Model } from '#contract/models.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'

/** The models one can talk with; an administrator is given the hidden ones too. */
export function textModels<Given extends Model>(models: readonly Given[]): Given[] {
  return models.filter(({ kind, hidden }) => kind === 'text' && !hidden)
}

/** Those a message can be sent to: one that draws answers with a picture. */
export function askableModels<Given extends Model>(models: readonly Given[]): Given[] {
  return [...textModels(models), ...models.filter(({ kind, hidden }) => kind === 'image' && !hidden)]
}

type Rated = Pick<Model, 'kind' | 'imagePrice' | 'inputRate' | 'outputRate'>

/** «×2,5»; when asking and answering cost differently, «×1 → ×2,5». */
export function formatRate({ kind, imagePrice, inputRate, outputRate }: Rated): string {
  if (kind === 'image') return imagePrice === null ? '—' : formatNumber(imagePrice)
  const [asked, answered] = [inputRate, outputRate].map((rate) => `×${formatNumber(rate)}`)
  return asked === answered ? `${asked}` : `${asked} → ${answered}`
}

/** The same for who hears it. */
export function rateSentence({ kind, imagePrice, inputRate, outputRate }: Rated): string {
  if (kind === 'image') return imagePrice === null ? 'Цена не указана' : `${formatSymbols(imagePrice)} за картинку`
  return inputRate === outputRate
    ? `Тариф ${formatNumber(inputRate)}`
    : `Тариф вопроса ${formatNumber(inputRate)}, ответа ${formatNumber(outputRate)}`
}

export interface ChosenModel<Given extends Model = Model> {
  /** Null when it is gone or hidden: another one has to be chosen. */
  model: Given | null
  name: string
}

/** What a thread's model is today. */
export function chooseModel<Given extends Model>(
  models: readonly Given[],
  wanted: { id: string; name: string } | null,
): ChosenModel<Given> {
  const model = askableModels(models).find(({ id }) => id === wanted?.id) ?? null
  return { model, name: model?.name ?? wanted?.name ?? 'Модель' }
}

/** What a new chat begins with: the one from the settings, else the first there is. */
export function usualModel<Given extends Model>(
  models: readonly Given[],
  settingId: string | null,
): ChosenModel<Given> {
  const visible = textModels(models)
  const model = visible.find(({ id }) => id === settingId) ?? visible[0] ?? null
  return { model, name: model?.name ?? 'Нет моделей' }
}
