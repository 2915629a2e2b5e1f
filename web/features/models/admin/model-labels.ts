import type { Model } from '#contract/models.ts'
import type { Provider } from '#contract/models-admin.ts'
import { formatDate, formatNumber } from '#web/lib/format.ts'

export const kindNames: Record<Model['kind'], string> = {
  text: 'Текст',
  image: 'Картинки',
  transcription: 'Расшифровка',
  embedding: 'Поиск по файлам',
}

const providerKindNames: Record<Provider['kind'], string> = {
  demo: 'встроенная модель',
  openai: 'API OpenAI или совместимый',
  yandex: 'Yandex AI Studio',
  gigachat: 'GigaChat',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
}

/** «Anthropic. Модели: текст.» */
export function describeProvider({ kind, modelKinds }: Pick<Provider, 'kind' | 'modelKinds'>): string {
  const kinds = modelKinds.map((one) => kindNames[one].toLowerCase()).join(', ')
  const [first = '', ...rest] = providerKindNames[kind]
  return `${first.toUpperCase()}${rest.join('')}. Модели: ${kinds}.`
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

/** «vendor/fast» → «fast», «gpt://folder/yandexgpt/latest» → «yandexgpt». */
export function shortName(providerModel: string): string {
  const [last = '', before = ''] = providerModel.split('/').reverse()
  if (before === '' || !VERSIONS.includes(last)) return last
  return last === VERSIONS[0] ? before : `${before}-${last}`
}

/** The words of Yandex for versions of a model. */
const VERSIONS = ['latest', 'rc', 'deprecated']

/** An id from the provider's name: «openai/GPT-4.1 mini» → «gpt-4.1-mini». */
export function suggestId(providerModel: string): string {
  return shortName(providerModel.toLowerCase())
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 64)
}
