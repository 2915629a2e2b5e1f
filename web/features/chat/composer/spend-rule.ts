import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'

/** When a press that spends is confirmed first (decision 055). */

export interface SpendPrice {
  /** The most that the screen names for this press. */
  most: number
  /** The least balance with which it can begin. */
  least: number
}

export type SpendBalance = Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>

/** A press that costs less than this is never confirmed: a small balance would ask about every question. */
export const ASK_FROM = 2000

/** A press that may take more than half of what can be spent is confirmed; one that will be refused is not. */
export function needsConsent({ most, least }: SpendPrice, balance: SpendBalance): boolean {
  const left = spendableSymbols(balance)
  return least <= left && most >= ASK_FROM && most > left / 2
}
