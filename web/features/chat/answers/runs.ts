import type { Thinking } from '#contract/models.ts'
import type { WebStage } from '#contract/web-search.ts'
import { createKeyedStore } from '#web/lib/create-keyed-store.ts'

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
  /** The thread has changed elsewhere meanwhile and is read again after the answer. */
  isOutdated?: boolean
  /** When the question was asked. */
  askedAt?: number
  /** The model it was asked of, and how much that may think; without them those of the chat. */
  modelId?: string | undefined
  thinking?: Thinking | undefined
  /** What is done on the web before the first word. */
  stage?: WebStage | undefined
  /** Closes the connection. A started answer goes on at the server; any other is not sent. */
  disconnect?: () => void
}

const runs = createKeyedStore<Run>()

export const { get: getRun, set: putRun, delete: removeRun, subscribe: subscribeRuns, use: useRun } = runs

/** Two ends so close to each other may have come in the wrong order. */
const APART_MS = 3000

/** Answers whose ends came over their own streams. */
export function createEnds() {
  const known = new Set<string>()
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    has: (messageId: string) => known.has(messageId),
    /** False when another answer ended here at about the same time: the balance that came with this end may be older. */
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
