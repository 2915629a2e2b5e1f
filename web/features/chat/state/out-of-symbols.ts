import type { QueryClient } from '@tanstack/react-query'
import { spendableSymbols } from '#contract/billing.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { createKeyedStore } from '#web/lib/create-keyed-store.ts'

/** The last message of a thread was rejected because of the balance. */
interface OutOfSymbolsError {
  message: string
  /** What could be spent at that moment: more of it clears the error. */
  available: number
  /** The least price of the question; null when it is not known. */
  needed: number | null
}

/** In place of the id of a thread: the message would have begun one. */
export const NEW_CHAT = ''

const errors = createKeyedStore<OutOfSymbolsError>()
export const useOutOfSymbols = errors.use
export const clearOutOfSymbols = errors.delete

/** Stores the 402 message with the balance at that moment, and refetches the balance. */
export function rememberOutOfSymbols(
  client: QueryClient,
  threadId: string,
  message: string,
  needed: number | null,
): void {
  const known = client.getQueryData(profileQuery.queryKey)?.SingleSubscription
  const available = known ? spendableSymbols(known) : 0
  errors.set(threadId, { message, available, needed })
  client
    .fetchQuery({ ...profileQuery, staleTime: 0 })
    .then(({ SingleSubscription }) => {
      const error = errors.get(threadId)
      if (error) errors.set(threadId, { ...error, available: spendableSymbols(SingleSubscription) })
    })
    .catch(() => undefined)
}
