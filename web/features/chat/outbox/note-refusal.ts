import type { QueryClient } from '@tanstack/react-query'
import { profileQuery } from '#web/features/users/queries.ts'
import { setRefusal } from './refusals.ts'

/** Keeps what the server said about the want of symbols, with the balance as it is known. */
export function noteRefusal(client: QueryClient, threadId: string, message: string): void {
  const available = client.getQueryData(profileQuery.queryKey)?.SingleSubscription.availableTokens ?? 0
  setRefusal(threadId, { message, available })
}
