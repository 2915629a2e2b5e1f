import { useSyncExternalStore } from 'react'

/**
 * Answers that this window is receiving, one per thread. Apart from `answer-run.ts`, since the frame needs the state
 * and not the code that streams.
 */
export interface Run {
  kind: 'send' | 'regenerate' | 'continue' | 'attach'
  questionId: string
  /** Null until the server has started the answer. */
  messageId: string | null
  /** The connection was lost and is being opened again. */
  isDisconnected: boolean
  /** The server is busy and the request will be repeated. */
  isBusy: boolean
  isStopping: boolean
  /** Closes the connection. A started answer goes on at the server; any other is not sent. */
  disconnect?: () => void
}

const runs = new Map<string, Run>()
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

export function getRun(threadId: string): Run | undefined {
  return runs.get(threadId)
}

export function putRun(threadId: string, run: Run): void {
  runs.set(threadId, run)
  notify()
}

export function changeRun(threadId: string, change: Partial<Run>): void {
  const run = runs.get(threadId)
  if (run) putRun(threadId, { ...run, ...change })
}

export function removeRun(threadId: string): void {
  if (runs.delete(threadId)) notify()
}

export function subscribeRuns(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useRun(threadId: string): Run | undefined {
  return useSyncExternalStore(subscribeRuns, () => runs.get(threadId))
}
