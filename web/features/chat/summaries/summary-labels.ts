import { price, type Rates } from '#contract/billing.ts'
import type { Summary, SummaryPlan } from '#contract/summaries.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'

/** «Начало чата сжато: 46 сообщений → 3 100 символов» */
export function summaryTitle({ messages, symbols, stale }: Summary): string {
  if (stale) return 'Сжатие не используется: сообщение выше изменено'
  const counted = `${formatNumber(messages)} ${plural(messages, 'сообщение', 'сообщения', 'сообщений')}`
  return `Начало чата сжато: ${counted} → ${formatSymbols(symbols)}`
}

/** «История этого чата: 48 000 символов за каждый вопрос. Сжать до ≈ 9 200?» */
export function offerText({ before, after }: SummaryPlan, rates: Rates, capacity: number): string {
  const now = price(before, 0, rates)
  const then = formatNumber(roundToHundreds(price(after, 0, rates)))
  if (before > capacity)
    return `Ранние сообщения не помещаются в модель и с вопросом не отправляются. Сжать историю до ≈\u00a0${then}?`
  return `История этого чата: ${formatSymbols(now)} за каждый вопрос. Сжать до ≈\u00a0${then}?`
}

/** «Спишется от 48 600 до 54 000 символов.» */
export function priceText({ low, high }: { low: number; high: number }): string {
  if (high === 0) return 'Бесплатно.'
  return `Спишется от ${formatNumber(low)} до ${formatSymbolsOf(high)}.`
}

const formatSymbolsOf = (n: number) => `${formatNumber(n)} ${plural(n, 'символа', 'символов', 'символов')}`
const roundToHundreds = (n: number) => Math.max(100, Math.round(n / 100) * 100)
