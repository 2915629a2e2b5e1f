import type { Model } from '#contract/models.ts'
import { formatDate, formatNumber } from '#web/lib/format.ts'

export const kindNames: Record<Model['kind'], string> = {
  text: 'Текст',
  image: 'Картинки',
  transcription: 'Расшифровка',
  embedding: 'Поиск по файлам',
}

/** «×2,5», or «×1 / ×2,5» when the question and the answer differ. */
export function formatRate({ inputRate, outputRate }: Pick<Model, 'inputRate' | 'outputRate'>): string {
  const input = `×${formatNumber(inputRate)}`
  return inputRate === outputRate ? input : `${input} / ×${formatNumber(outputRate)}`
}

/** «Модель отключат 14 января 2027»; an unreadable date is shown as it came. */
export function shutdownLabel(date: string, now = Date.now()): string {
  // A date without time is parsed as local, not UTC.
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00` : date)
  if (Number.isNaN(at.getTime())) return `Модель отключат: ${date}`
  return `Модель ${at.getTime() < now ? 'отключили' : 'отключат'} ${formatDate(at).replace(/\s?г\.$/, '')}`
}

/** An id from the provider's name: «openai/GPT-4.1 mini» → «gpt-4.1-mini». */
export function suggestId(providerModel: string): string {
  const last = providerModel.toLowerCase().split('/').at(-1) ?? ''
  return last
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 64)
}
