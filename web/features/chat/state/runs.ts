import type { Thinking } from '#contract/models.ts'
import type { WebStage } from '#contract/web-search.ts'
import { createKeyedStore } from '#web/lib/create-keyed-store.ts'

/**
 * Answers that this window is receiving, one per thread. Separate from `answer-run.ts`, because the frame needs only
 * the state and not the streaming code.
 */
export interface Run {
  kind: 'send' | 'regenerate' | 'continue' | 'attach'
  questionId: string
  /** Null until the server has started the answer. */
  messageId: string | null
  /** The connection was lost and is being opened again. */
  isDisconnected: boolean
  /** What the server answered instead, if the network is not the reason. */
  problem?: string | null
  /** The server is busy and the request will be repeated. */
  isBusy: boolean
  isStopping: boolean
  /** The thread has changed elsewhere meanwhile and is refetched after the answer. */
  isOutdated?: boolean
  requestedAt?: number
  /** The requested model and its thinking, if they differ from those of the chat. */
  modelId?: string | undefined
  thinking?: Thinking | undefined
  /** The current stage of the web search before the first word. */
  stage?: WebStage | undefined
  /** Closes the connection. A started answer goes on at the server; any other is not sent. */
  disconnect?: () => void
}

const runs = createKeyedStore<Run>()

export const { get: getRun, set: putRun, delete: removeRun, subscribe: subscribeRuns, use: useRun } = runs

/** Two ends within this time may have arrived in the wrong order. */
const APART_MS = 3000

/** Remembers the answers whose ends arrived over their own streams. */
export function createEnds() {
  const known = new Set<string>()
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    has: (messageId: string) => known.has(messageId),
    /** False when another answer ended here at about the same time: the balance of this end may be outdated. */
    note(messageId: string, now = performance.now()): boolean {
      const passed = now - lastAt
      lastAt = now
      known.add(messageId)
      return passed > APART_MS
    },
  }
}

const ends = createEnds()
export const noteEnd = ends.note

/** This window has the end of the answer, or will get it over the stream: events about it bring nothing new. */
export function isFollowed(threadId: string, messageId: string): boolean {
  return ends.has(messageId) || getRun(threadId)?.messageId === messageId
}

/** The message of the run has not reached the server: there is no answer yet. */
export function isUnsent({ kind, messageId, isDisconnected, isBusy }: Run): boolean {
  return kind === 'send' && messageId === null && (isDisconnected || isBusy)
}

export function changeRun(threadId: string, change: Partial<Run>): void {
  const run = getRun(threadId)
  if (run) putRun(threadId, { ...run, ...change })
}
