import type { AdminModel, Model } from '#contract/models.ts'
import type { Provider } from '#contract/models-admin.ts'
import { formatDate, formatNumber } from '#web/lib/format.ts'
import type { ModelFields } from './model-draft.ts'

export const kindNames: Record<Model['kind'], string> = {
  text: 'Текст',
  image: 'Картинки',
  transcription: 'Расшифровка',
  embedding: 'Поиск по файлам',
  scan: 'Чтение сканов',
}

/** A newer server may have kinds that this page does not know. */
export const kindName = (kind: string) => (kindNames as Record<string, string>)[kind] ?? kind

const providerKindNames: Record<Provider['kind'], string> = {
  demo: 'встроенная модель',
  openai: 'API OpenAI или совместимый',
  yandex: 'Yandex AI Studio',
  gigachat: 'GigaChat',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  speechkit: 'Yandex SpeechKit',
  salute: 'SaluteSpeech',
}

/** «Anthropic. Модели: текст.» */
export function describeProvider({ kind, modelKinds }: Pick<Provider, 'kind' | 'modelKinds'>): string {
  const kinds = modelKinds.map((one) => kindName(one).toLowerCase()).join(', ')
  const [first = '', ...rest] = (providerKindNames as Record<string, string>)[kind] ?? kind
  return `${first.toUpperCase()}${rest.join('')}. Модели: ${kinds}.`
}

/** «×2,5», or «×1 / ×2,5» when the question and the answer differ. */
export function formatRate({ inputRate, outputRate }: Pick<Model, 'inputRate' | 'outputRate'>): string {
  const input = `×${formatNumber(inputRate)}`
  return inputRate === outputRate ? input : `${input} / ×${formatNumber(outputRate)}`
}

/** «Модель отключат 14 января 2027»; an unreadable date is shown as it came. */
export const shutdownLabel = (date: string, now = Date.now()) => `Модель ${shutdownFact(date, now)}`

/** «отключат 14 января 2027». */
export function shutdownFact(date: string, now = Date.now()): string {
  // A date without time is parsed as local, not UTC.
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00` : date)
  if (Number.isNaN(at.getTime())) return `отключат: ${date}`
  return `${at.getTime() < now ? 'отключили' : 'отключат'} ${formatDate(at).replace(/\s?г\.$/, '')}`
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

/** Providers that name their prices in roubles; the others do it in dollars. */
export const costCurrencyOf = (kind: Provider['kind'] | undefined) => (kind && inRoubles.has(kind) ? 'RUB' : 'USD')

const inRoubles = new Set<Provider['kind']>(['yandex', 'gigachat', 'speechkit', 'salute'])

/** Services that take whole recordings tell speakers apart in their own way; the others in one of three. */
export function speakerModes(kind: Provider['kind'] | undefined): { value: string; label: string }[] {
  const none = { value: '', label: 'Не различает' }
  if (kind === 'speechkit' || kind === 'salute') return [none, { value: 'service', label: 'Различает сервис' }]
  return [
    none,
    { value: 'diarized_json', label: 'OpenAI: diarized_json' },
    { value: 'segments', label: 'whisperX: метки в ответе' },
    { value: 'diarization', label: 'speaches: отдельный запрос' },
  ]
}

export function speakersHint(kind: Provider['kind'] | undefined): string {
  if (kind === 'speechkit') return 'SpeechKit различает двоих.'
  if (kind === 'salute') return 'SaluteSpeech ищет столько голосов. Пустое поле: решает сам.'
  return 'Пустое поле: сколько найдёт модель. Голоса первой части узнаются дальше у OpenAI и speaches, до четырёх.'
}

export function speakersLabel({ speakers, maxSpeakers }: ModelFields): string {
  if (speakers === '') return 'Не различает'
  return maxSpeakers === '' ? 'Различает' : `Различает, до ${maxSpeakers}`
}

/** One line about the folded fields of the form, as they are now. */

export function skillsLabel({ canUseWithAssistant, vision, thinks }: ModelFields): string {
  const skills = [canUseWithAssistant && 'ассистенты', vision && 'картинки', thinks && 'выбор размышлений']
  return upperFirst(skills.filter(Boolean).join(', ')) || 'Только текст, без ассистентов'
}

export function imageSkillsLabel({
  hasSkills,
  changes,
  takesArea,
  examples,
  transparent,
  partial,
}: ModelFields): string {
  if (!hasSkills) return 'Как обычно у такой модели'
  const skills = [
    changes ? 'меняет картинки' : 'только рисует',
    changes && takesArea && 'понимает выделение',
    changes && examples !== '0' && 'смотрит на примеры',
    transparent && 'прозрачный фон',
    partial && 'показывает по ходу',
  ]
  return upperFirst(skills.filter(Boolean).join(', '))
}

export function extraRatesLabel({ thoughtRate, cachedRate }: ModelFields): string {
  const isFree = thoughtRate === '' || thoughtRate === '0'
  const thoughts = isFree ? 'Размышления входят в цену ответа' : `Размышления ×${thoughtRate}`
  return `${thoughts}, ${cachedRate === '' ? 'кэш по цене вопроса' : `кэш ×${cachedRate}`}`
}

export function limitsLabel({ contextSymbols, maxOutputSymbols }: ModelFields): string {
  const limit = (text: string) => (text === '' ? 'без предела' : `до ${text}`)
  return `Вопрос ${limit(contextSymbols)}, ответ ${limit(maxOutputSymbols)}`
}

export function replacementLabel(
  { fallbackId, retiresOn }: ModelFields,
  others: readonly Pick<AdminModel, 'id' | 'name'>[],
): string {
  const fallback = others.find(({ id }) => id === fallbackId)?.name
  return `${fallback ? `Запасная: ${fallback}` : 'Запасной нет'}, ${retiresOn ? shutdownLabel(retiresOn).toLowerCase() : 'срок отключения неизвестен'}`
}

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
