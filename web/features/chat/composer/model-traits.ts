import type { Model } from '#contract/models.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'

type Rated = Pick<Model, 'kind' | 'inputRate' | 'outputRate'>

type PricedModel = Pick<Model, 'kind' | 'imagePrice' | 'inputRate' | 'outputRate'> & { thoughtRate?: number }

/** «×2,5»; when the rates of question and answer differ, «×1 → ×2,5». */
export function formatRate({ kind, imagePrice, inputRate, outputRate }: PricedModel): string {
  if (kind === 'image') return imagePrice === null ? '—' : formatNumber(imagePrice)
  const [question, answer] = [inputRate, outputRate].map((rate) => `×${formatNumber(rate)}`)
  return question === answer ? `${question}` : `${question} → ${answer}`
}

/** The same for screen readers. */
export function rateSentence({ kind, imagePrice, inputRate, outputRate, thoughtRate = 0 }: PricedModel): string {
  if (kind === 'image') return imagePrice === null ? 'Цена не указана' : `${formatSymbols(imagePrice)} за картинку`
  const thoughts = thoughtRate > 0 ? `, размышлений ${formatNumber(thoughtRate)}` : ''
  return inputRate === outputRate && !thoughts
    ? `Коэффициент ${formatNumber(inputRate)}`
    : `Коэффициент вопроса ${formatNumber(inputRate)}, ответа ${formatNumber(outputRate)}${thoughts}`
}

const TIMES: Record<number, string> = { 1.5: 'в полтора раза', 2: 'вдвое', 3: 'втрое', 4: 'вчетверо' }

/** «вдвое дороже обычной»; null when there is nothing to compare. */
export function compareCost(model: Rated, usual: Rated | null): string | null {
  if (!usual || model.kind !== 'text') return null
  const [own, base] = [model, usual].map(({ inputRate, outputRate }) => inputRate + outputRate)
  if (own === 0) return 'бесплатно'
  if (!own || !base) return null
  const ratio = Math.max(own, base) / Math.min(own, base)
  // The same rates need no comparison.
  if (model.inputRate === usual.inputRate && model.outputRate === usual.outputRate) return null
  if (ratio < 1.05) return 'цена как у обычной'
  const word = own > base ? 'дороже' : 'дешевле'
  return ratio < 1.3 ? `немного ${word} обычной` : `${timesLabel(ratio)} ${word} обычной`
}

/** To the nearest half, and from five to the nearest whole: «в 2,5 раза», «в 12 раз». */
function timesLabel(ratio: number): string {
  const rounded = ratio < 5 ? Math.round(ratio * 2) / 2 : Math.round(ratio)
  return TIMES[rounded] ?? `в ${formatNumber(rounded)} ${Number.isInteger(rounded) ? 'раз' : 'раза'}`
}

/** About two hundred pages. */
const LONG_CONTEXT = 400_000

export type Trait = 'sees' | 'draws' | 'thinks' | 'long'

type Capable = Pick<Model, 'kind' | 'vision' | 'thinks' | 'contextSymbols'>

export function traitsOf({ kind, vision, thinks, contextSymbols }: Capable): Trait[] {
  const traits: (Trait | false)[] = [
    kind === 'image' && 'draws',
    vision && 'sees',
    thinks && 'thinks',
    contextSymbols !== null && contextSymbols >= LONG_CONTEXT && 'long',
  ]
  return traits.filter((trait) => trait !== false)
}

export const traitNames: Record<Trait, string> = {
  sees: 'видит картинки',
  draws: 'рисует',
  thinks: 'размышляет',
  long: 'помнит длинные тексты',
}
