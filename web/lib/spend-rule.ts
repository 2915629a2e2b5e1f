import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'
import { formatNumber, plural, upToSymbols } from './format.ts'

/** When a press that spends is confirmed first (decision 055). */

export interface SpendPrice {
  /** The most that the screen names for this press. */
  most: number
  /** The least balance with which it can begin. */
  least: number
}

export type SpendBalance = Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>

/** A press that costs less than this is not confirmed: a small balance would ask about every question. */
export const ASK_FROM = 2000

/**
 * A press that may take more than half of what can be spent is confirmed, and one that may not fit into the person's own
 * limit of the day; one that will be refused is not.
 */
export function needsConsent({ most, least }: SpendPrice, balance: SpendBalance): boolean {
  const left = spendableSymbols(balance)
  const isOverDay = left < balance.availableTokens && most > left
  return least <= left && (isOverDay || (most >= ASK_FROM && most > left / 2))
}

/** «Этот вопрос может стоить до 13 500 из 20 000 символов.» */
export function consentText(what: string, { most }: Omit<SpendPrice, 'least'>, balance: SpendBalance): string {
  const left = spendableSymbols(balance)
  const unit = plural(left, 'символа', 'символов', 'символов')
  if (most <= left) return `${what} может стоить до ${formatNumber(most)} из ${formatNumber(left)} ${unit}.`
  const rest = left < balance.availableTokens ? 'на сегодня осталось' : 'на балансе'
  return `${what} может стоить ${upToSymbols(most)}, а ${rest} ${formatNumber(left)}: ответ может оборваться.`
}

interface Spend {
  /** «Рисование» */
  what: string
  /** «Нарисовать» */
  action: string
  /** The most it can cost; null when that is not known. */
  most: number | null
}

/** Whether to go on: at once, or after the person agreed when it may take more than half of the balance. */
export async function maySpend(balance: SpendBalance | undefined, { what, action, most, ...rest }: Spend) {
  if (!balance || most === null || !needsConsent({ most, least: most }, balance)) return true
  const { ask } = await import('#web/ui/ask.tsx')
  return ask({ title: consentText(what, { most, ...rest }, balance), action })
}
