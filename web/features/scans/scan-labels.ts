import type { Scan } from '#contract/scans.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'

/** «Прочитать: до 18 000 символов». */
export function actionLabel({ state, read, failed, pages, price, error }: Scan): string {
  const isRetry = state === 'stopped' && error === null && failed.length === pages - read
  const verb = state === 'offered' ? 'Прочитать' : isRetry ? 'Повторить' : 'Продолжить'
  return price === null ? verb : `${verb}: до ${formatSymbols(price)}`
}

/** «Прочитано 5 из 12». */
export const progressLabel = ({ read, pages }: Pick<Scan, 'read' | 'pages'>) =>
  `Прочитано ${formatNumber(read)} из ${formatNumber(pages)}`

const SHOWN = 3

/** «стр. 3: Модель отказалась… стр. 7: …»; pages with the same reason are named together. */
export function failedPages(failed: Scan['failed']): string[] {
  const reasons = new Map<string, number[]>()
  for (const { number, error } of failed) reasons.set(error, [...(reasons.get(error) ?? []), number])
  return [...reasons].slice(0, SHOWN).map(([error, numbers]) => `Стр. ${listed(numbers)}: ${error}`)
}

const MOST = 8

function listed(numbers: number[]): string {
  const shown = numbers.slice(0, MOST).join(', ')
  return numbers.length > MOST ? `${shown} и ещё ${numbers.length - MOST}` : shown
}
