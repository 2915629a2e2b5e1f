import type { MinutesDocument, MinutesOffer } from '#contract/minutes.ts'
import { formatNumber, formatSymbols, plural, upToSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'

/** «около 12 000 символов» */
export const aboutSymbols = (n: number) =>
  `около ${formatNumber(n)}\u00a0${plural(n, 'символа', 'символов', 'символов')}`

export function priceLabel({ steps, usual, most }: MinutesOffer): string {
  if (steps === 0 || most === 0) return 'бесплатно'
  return `${aboutSymbols(usual)}, ${upToSymbols(most)}`
}

export const isRunning = ({ status }: Pick<MinutesDocument, 'status'>) => status === 'queued' || status === 'working'

export function progressLabel({ status, stepsDone, stepsTotal }: MinutesDocument): string {
  if (status === 'queued' && stepsDone === 0) return 'В очереди'
  if (stepsTotal === null || stepsTotal < 2) return 'Пишется…'
  return `Пишется: готово ${stepsDone} из ${stepsTotal} частей`
}

/** What an interrupted document has cost, and that this is not paid again. */
export function paidLabel({ charged }: Pick<MinutesDocument, 'charged'>): string {
  if (charged === 0) return 'Символы не списаны.'
  return `Списано ${formatSymbols(charged)} за готовые части. Они сохранены: второй раз за них не спишется.`
}

const TIME = /\[((?:\d{1,2}:)?\d{1,2}:\d{2})\](?![([:])/g

export const secondsOf = (clock: string) => clock.split(':').reduce((sum, digits) => sum * 60 + Number(digits), 0)

/** Times in brackets as links to the recording; those that it does not have stay text. */
export function withTimeLinks(text: string, id: string, lastSecond: number): string {
  return text.replace(TIME, (written, clock: string) => {
    const at = secondsOf(clock)
    return at > lastSecond ? written : `[${clock}](${paths.transcription(id)}&at=${at} "Слушать с ${clock}")`
  })
}

/** The second that such a link names; null for other links. */
export function secondIn(href: string | null): number | null {
  const at = href?.startsWith(`${paths.transcribe()}?`) ? new URLSearchParams(href.split('?')[1]).get('at') : null
  return at === null || at === '' ? null : Number(at)
}
