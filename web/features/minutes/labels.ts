import type { MinutesDocument, MinutesOffer } from '#contract/minutes.ts'
import { formatNumber, formatSymbols, plural, upToSymbols } from '#web/lib/format.ts'

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
export function withTimeLinks(text: string, href: string, lastSecond: number): string {
  return text.replace(TIME, (written, clock: string) => {
    const at = secondsOf(clock)
    return at > lastSecond ? written : `[${clock}](${href}&at=${at} "Слушать с ${clock}")`
  })
}

/** The second that such a link names; null for other links. */
export function secondIn(link: string | null, href: string): number | null {
  const at = link?.startsWith(`${href}&at=`) ? link.slice(href.length + 4) : ''
  return at === '' ? null : Number(at)
}
