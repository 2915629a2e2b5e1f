import { useSyncExternalStore } from 'react'

/** An answer that this window is hearing, one a thread. */
export interface Run {
  kind: 'send' | 'regenerate' | 'continue' | 'attach'
  questionId: string
  /** Null until the server has said that it begins. */
  messageId: string | null
  /** The line is broken and being mended. */
  isCut: boolean
  /** The server asked to come again a little later, and the page will. */
  isBusy: boolean
  isStopping: boolean
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
