import { type Language, languages, recordingPrice, type TranscriptionRow } from '#contract/transcriptions.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { once } from '#web/lib/once.ts'

/** «1:02:05» */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const number = once(() => new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 1 }))

/** «1,4 МБ» */
export function formatSize(bytes: number): string {
  const kilobytes = bytes / 1024
  return kilobytes < 1024
    ? `${Math.max(1, Math.round(kilobytes))}\u00a0КБ`
    : `${number().format(kilobytes / 1024)}\u00a0МБ`
}

interface Payer {
  minutePrice: number | null
  available: number | null
}

/** The price that a button names, which the server holds to; undefined while the length is unknown. */
export function namedPrice(seconds: number | null, minutePrice: number | null): number | undefined {
  if (!minutePrice) return 0
  return seconds === null ? undefined : recordingPrice(seconds, minutePrice)
}

/** The price of a recording and whether the balance covers it; the length may be unknown before the upload. */
export function formatPrice(
  seconds: number | null,
  { minutePrice, available }: Payer,
): { text: string; symbols: number | null; isShort: boolean } {
  if (!minutePrice) return { text: 'Бесплатно', symbols: null, isShort: false }
  if (seconds === null)
    return {
      text: `${formatSymbols(minutePrice)} за минуту, длина будет известна после загрузки`,
      symbols: null,
      isShort: false,
    }
  const price = recordingPrice(seconds, minutePrice)
  if (available === null) return { text: formatSymbols(price), symbols: price, isShort: false }
  return available < price
    ? { text: `${formatSymbols(price)}, а на балансе ${formatSymbols(available)}`, symbols: price, isShort: true }
    : { text: `${formatSymbols(price)}, останется ${formatSymbols(available - price)}`, symbols: price, isShort: false }
}

/** The price of another try: what the same model has heard is not charged again. Null when the length is unknown. */
export function retryPrice(
  { durationMs, paid, modelId }: Pick<TranscriptionRow, 'durationMs' | 'paid' | 'modelId'>,
  { id, minutePrice }: { id: string; minutePrice: number | null },
): number | null {
  if (durationMs === null || !minutePrice) return null
  const whole = recordingPrice(durationMs / 1000, minutePrice)
  return id === modelId ? Math.max(0, whole - paid) : whole
}

/** The status of a recording as text; null when it is ready. */
export function stateLabel({ status, partsDone, partsTotal, received, bytes, error }: TranscriptionRow): string | null {
  if (status === 'ready') return null
  if (status === 'failed') return error?.code === 'stopped' ? 'Остановлена' : 'Не получилось'
  if (status === 'queued') return 'В очереди'
  if (status === 'uploading') return `Загружено ${Math.floor((received * 100) / bytes)}\u00a0%`
  return partsTotal !== null && partsTotal > 1
    ? `Расшифровывается: ${partsDone} из ${partsTotal} частей`
    : 'Расшифровывается…'
}

export const languageOptions = [
  { value: '', label: 'Определить автоматически' },
  ...Object.entries(languages).map(([value, label]) => ({ value, label })),
]

/** What a model that tells speakers apart does. */
export const speakersNote = (max: number | null) =>
  max === null
    ? 'Эта модель различает голоса: у реплик будут участники.'
    : `Эта модель различает до ${max} голосов: у реплик будут участники.`

export const isLanguage = (value: string): value is Language => value in languages

/** Index of the segment at a moment: the last one that has started, or -1. */
export function segmentAt(segments: readonly { start: number }[], seconds: number): number {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start ?? 0) <= seconds + 0.01) low = middle + 1
    else high = middle
  }
  return low - 1
}

export function errorLabel(error: TranscriptionRow['error'], charged: number): string {
  const why = error && error.code !== 'stopped' ? `${error.message} ` : ''
  if (charged === 0) return `${why}Символы не списаны.`
  const paid = `Списано ${formatSymbols(charged)}`
  return error?.code === 'stopped'
    ? `${paid} за минуты, которые уже были у модели. То, что она успела прослушать, при повторе не оплачивается снова.`
    : `${why}${paid}.`
}
