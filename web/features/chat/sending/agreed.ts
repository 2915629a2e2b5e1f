import type { QueryClient } from '@tanstack/react-query'
import { outbox, useOutbox } from '../state/outbox.ts'
import { sendLeftovers } from './send.ts'

const CODE = 'consent_required'

/** Sends what was rejected without the consents that have just been given. */
export function sendAgreed(client: QueryClient, userId: string): void {
  for (const { id, failure } of outbox().all()) if (failure?.code === CODE) outbox().update(id, { failure: undefined })
  sendLeftovers(client, userId)
}

/** Whether a message goes out once the consents are given. */
export function useWaitsForConsent(userId: string): boolean {
  return useOutbox().some((item) => item.userId === userId && (!item.failure || item.failure.code === CODE))
}
