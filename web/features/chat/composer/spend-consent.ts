import type { QueryClient } from '@tanstack/react-query'
import { profileQuery } from '#web/features/users/queries.ts'
import { createStore } from '#web/lib/create-store.ts'
import { consentText, needsConsent, type SpendPrice } from './spend-rule.ts'

/** A press that waits for the person's word. Only one waits at a time. */
export interface WaitingSpend {
  threadId: string | null
  text: string
  /** «Отправить» */
  action: string
  /** What had the focus when it was pressed; it gets it back. */
  from: Element | null
  onAgree: () => void
}

export const waitingSpend = createStore<WaitingSpend | null>(null)

interface Spend {
  /** Null for the chat not started yet. */
  threadId: string | null
  /** «Этот вопрос» */
  what: string
  action: string
  /** Null when the price is not known. */
  price: SpendPrice | null
}

/** Does it at once, or after the person agreed when it may take more than half of the balance. */
export function spend(client: QueryClient, { price, what, ...asked }: Spend, onAgree: () => void): void {
  waitingSpend.set(null)
  const balance = client.getQueryData(profileQuery.queryKey)?.SingleSubscription
  if (!price || !balance || !needsConsent(price, balance)) onAgree()
  else waitingSpend.set({ ...asked, text: consentText(what, price, balance), from: document.activeElement, onAgree })
}
