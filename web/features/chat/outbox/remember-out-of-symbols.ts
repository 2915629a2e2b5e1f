import type { QueryClient } from '@tanstack/react-query'
import { profileQuery } from '#web/features/users/queries.ts'
import { setOutOfSymbols } from './out-of-symbols.ts'

/** Keeps what the server said about the want of symbols, with the balance as it is known. */
export function rememberOutOfSymbols(client: QueryClient, threadId: string, message: string): void {
  const available = client.getQueryData(profileQuery.queryKey)?.SingleSubscription.availableTokens ?? 0
  setOutOfSymbols(threadId, { message, available })
}
