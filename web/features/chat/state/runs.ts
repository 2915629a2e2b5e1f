import { useSyncExternalStore } from 'react'
import type { AnswerEvent } from '#contract/answers.ts'
import type { Thinking } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
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

/**
 * The texts of answers that are being written, by message. Growing text stays out of the cached thread, so that a step
 * renders only the answer and not the chat around it. The cache gets the first words, and the whole text at the end.
 */
type LiveText = Partial<Record<'delta' | 'thought', string>>
type Growth = Extract<AnswerEvent, { type: 'delta' | 'thought' }>

const texts = createKeyedStore<LiveText>()

export const isGrowth = (event: AnswerEvent): event is Growth => event.type === 'delta' || event.type === 'thought'

/** Stores the whole text so far. False for the first words, which go into the cache: they change the chat around. */
export function growLiveText(message: Message | undefined, { type, text }: Growth): boolean {
  const known = type === 'delta' ? message?.content : message?.thought?.text
  if (!message || !known) return false
  texts.set(message.id, { ...texts.get(message.id), [type]: text })
  return true
}

/** Returns a function that drops the current text, unless it has grown by then. */
export function liveTextDropper(messageId: string): () => void {
  const known = texts.get(messageId)
  return () => {
    if (texts.get(messageId) === known) texts.delete(messageId)
  }
}

/** The message with its live text; the same object without one. */
export function withLiveText(message: Message): Message {
  const live = texts.get(message.id)
  if (!live) return message
  return { ...message, content: longer(message.content, live.delta), thought: grownThought(message, live.thought) }
}

const grownThought = ({ thought }: Message, live: string | undefined) =>
  thought && { ...thought, text: longer(thought.text, live) }

/** A refetched thread may have more text than the stream so far. */
const longer = (known: string, live = '') => (live.length > known.length ? live : known)

const never = () => () => {}

function useLive(message: Message, flow: keyof LiveText): string | undefined {
  const isStreaming = message.status === 'streaming'
  return useSyncExternalStore(isStreaming ? texts.subscribe : never, () =>
    isStreaming ? texts.get(message.id)?.[flow] : undefined,
  )
}

export const useLiveContent = (message: Message): string => longer(message.content, useLive(message, 'delta'))

export function useLiveThought(message: Message): Message['thought'] {
  const live = useLive(message, 'thought')
  return live === undefined ? message.thought : grownThought(message, live)
}

/** Calls back whenever the text of the message, not its thought, grows. */
export function watchLiveText(messageId: string, onGrowth: () => void): () => void {
  let seen = texts.get(messageId)?.delta
  return texts.subscribe(() => {
    const now = texts.get(messageId)?.delta
    if (now !== undefined && now !== seen) onGrowth()
    seen = now
  })
}
