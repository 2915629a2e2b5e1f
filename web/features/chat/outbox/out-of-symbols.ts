import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { profileQuery } from '#web/features/users/queries.ts'

/** The last message of a thread was rejected because of the balance. */
interface OutOfSymbolsError {
  /** The message of the server. */
  message: string
  /** The balance at that moment: a higher one clears the error. */
  available: number
}

const errors = new Map<string, OutOfSymbolsError>()
const listeners = new Set<() => void>()

export function setOutOfSymbols(threadId: string, outOfSymbols: OutOfSymbolsError | null): void {
  if (outOfSymbols) errors.set(threadId, outOfSymbols)
  else if (!errors.delete(threadId)) return
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useOutOfSymbols(threadId: string): OutOfSymbolsError | undefined {
  return useSyncExternalStore(subscribe, () => errors.get(threadId))
}

/** Stores the 402 message with the balance at that moment. */
export function rememberOutOfSymbols(client: QueryClient, threadId: string, message: string): void {
  const available = client.getQueryData(profileQuery.queryKey)?.SingleSubscription.availableTokens ?? 0
  setOutOfSymbols(threadId, { message, available })
}
