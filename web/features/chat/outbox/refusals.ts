import { useSyncExternalStore } from 'react'

/** The last message of a thread was not taken for want of symbols. */
export interface Refusal {
  /** The server's words. */
  message: string
  /** What was on the balance then: with more there, it is over. */
  available: number
}

const refusals = new Map<string, Refusal>()
const listeners = new Set<() => void>()

export function setRefusal(threadId: string, refusal: Refusal | null): void {
  if (refusal) refusals.set(threadId, refusal)
  else if (!refusals.delete(threadId)) return
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useRefusal(threadId: string): Refusal | undefined {
  return useSyncExternalStore(subscribe, () => refusals.get(threadId))
}
