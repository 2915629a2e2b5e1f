import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'
import { formatNumber, plural, upToSymbols } from '#web/lib/format.ts'

/** When a press that spends is confirmed first (decision 055). */

export interface SpendPrice {
  /** The most that the screen names for this press. */
  most: number
  /** The least balance with which it can begin. */
  least: number
}

type Balance = Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>

/** A press that costs less than this is never confirmed: a small balance would ask about every question. */
export const ASK_FROM = 2000

/** A press that may take more than half of what can be spent is confirmed; one that will be refused is not. */
export function needsConsent({ most, least }: SpendPrice, balance: Balance): boolean {
  const left = spendableSymbols(balance)
  return least <= left && most >= ASK_FROM && most > left / 2
}

/** «Этот вопрос может стоить до 13 500 из 20 000 символов. Отправить?» */
export function consentText(what: string, { most }: SpendPrice, balance: Balance): string {
  const left = spendableSymbols(balance)
  const unit = plural(left, 'символа', 'символов', 'символов')
  if (most <= left) return `${what} может стоить до ${formatNumber(most)} из ${formatNumber(left)} ${unit}.`
  const rest = left < balance.availableTokens ? 'на сегодня осталось' : 'на балансе'
  return `${what} может стоить ${upToSymbols(most)}, а ${rest} ${formatNumber(left)}: ответ может оборваться.`
}
