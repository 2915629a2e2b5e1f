import type { QueryClient } from '@tanstack/react-query'
import { profileQuery } from '#web/features/users/queries.ts'
import { createStore } from '#web/lib/create-store.ts'
import { needsConsent, type SpendBalance, type SpendPrice } from '#web/lib/spend-rule.ts'

interface Spend<Price = SpendPrice | null> {
  /** Null for the chat not started yet. */
  threadId: string | null
  /** «Этот вопрос» */
  what: string
  /** «Отправить» */
  action: string
  /** Null when it is not known. */
  price: Price
}

/** A press that waits for the person's word. Only one waits at a time. */
export interface WaitingSpend extends Spend<SpendPrice> {
  balance: SpendBalance
  /** What had the focus when it was pressed; it gets it back. */
  from: Element | null
  onAgree: () => void
}

export const waitingSpend = createStore<WaitingSpend | null>(null)

/** Does it at once, or after the person agreed when it may take more than half of the balance. */
export function spend(client: QueryClient, { price, ...spending }: Spend, onAgree: () => void): void {
  waitingSpend.set(null)
  const balance = client.getQueryData(profileQuery.queryKey)?.SingleSubscription
  if (!price || !balance || !needsConsent(price, balance)) onAgree()
  else waitingSpend.set({ ...spending, price, balance, from: document.activeElement, onAgree })
}
