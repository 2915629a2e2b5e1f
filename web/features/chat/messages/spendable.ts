import { countSymbols, price, type Rates, type SingleSubscription } from '#contract/billing.ts'
import type { Message } from '#contract/threads.ts'

type Balance = Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>

/** What can be spent today: one's own limit counts too. */
export function spendable({ availableTokens, dailyCap, spentToday }: Balance): number {
  return dailyCap === null ? availableTokens : Math.max(0, Math.min(availableTokens, dailyCap - spentToday))
}

/** What it costs at least to go on with an answer: it is sent along with all that it was asked with. */
export function costToContinue({ parts, content }: Pick<Message, 'parts' | 'content'>, rates: Rates): number {
  const asked = parts ? parts.question + parts.history + parts.instructions + parts.files + parts.passages : 0
  return price(asked + countSymbols(content), 1, rates)
}
