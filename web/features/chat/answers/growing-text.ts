import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { AnswerEvent } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { createKeyedStore } from '#web/lib/create-keyed-store.ts'

/** A hidden page has no animation frames: the text is written in larger steps. */
const HIDDEN_MS = 500
/** Rendering is the most expensive part of an answer; a shorter step is not visible. */
const STEP_MS = 30
/** On a slow machine the steps are longer: rendering takes at most 1/TIME_SHARE of the time. */
const TIME_SHARE = 20
const LONGEST_STEP_MS = 100

type Flow = 'delta' | 'thought'

/**
 * Writes thought and text of an answer in even steps, at most one per 30 ms, fewer where a step takes long; other
 * events pass through at once.
 */
export function createDeltaThrottle(write: (event: AnswerEvent) => void, initialText = '', initialThought = '') {
  let pacers = createPacers(initialText, initialThought)
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownAt = 0
  const costs = [0, 0]

  const isBehind = () => pacers.delta.isBehind() || pacers.thought.isBehind()

  /** Writes the result of `take` for each flow that has new text. */
  function show(take: (pacer: Pacer) => string) {
    for (const type of ['thought', 'delta'] as const) {
      if (!pacers[type].isBehind()) continue
      const text = take(pacers[type])
      write({ type, offset: text.length, text })
    }
  }

  function schedule() {
    if (document.hidden) timer ??= setTimeout(showAll, HIDDEN_MS)
    else frame ??= requestAnimationFrame(showNext)
  }

  function showNext() {
    frame = undefined
    const now = performance.now()
    if (now - shownAt >= stepMs(costs)) {
      shownAt = now
      flushSync(() => show((pacer) => pacer.take(now)))
      costs.shift()
      costs.push(performance.now() - now)
    }
    if (isBehind()) schedule()
  }

  function showAll() {
    cancel()
    show((pacer) => pacer.takeAll())
  }

  function cancel() {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = timer = undefined
  }

  return {
    receive(event: AnswerEvent) {
      if (event.type === 'delta' || event.type === 'thought') {
        pacers[event.type].push(event.text, performance.now())
        if (event.type === 'delta' && event.last) showAll()
        else schedule()
        return
      }
      showAll()
      if (event.type === 'start') pacers = createPacers(event.assistant.content, event.assistant.thought?.text ?? '')
      write(event)
    },
    end: showAll,
  }
}

/** Uses the smaller of the last two costs: a single long step is usually a pause of the browser. */
export function stepMs(costs: readonly number[]): number {
  return Math.min(Math.max(STEP_MS, Math.min(...costs) * TIME_SHARE), LONGEST_STEP_MS)
}

function createPacers(text: string, thought: string): Record<Flow, Pacer> {
  return { delta: createPacer(text), thought: createPacer(thought) }
}

/** The longest time for showing one chunk: it is spread until the next is expected, so that the text flows evenly. */
export const SPREAD_MS = 120
/** The weight of the last pause between two chunks in their average. */
const NEWEST = 0.25

interface PendingChunk {
  end: number
  due: number
}

type Pacer = ReturnType<typeof createPacer>

export function createPacer(text = '') {
  let received = text
  let shown = text.length
  let at: number | null = null
  let pending: PendingChunk[] = []
  let pushedAt: number | null = null
  let spread = SPREAD_MS

  return {
    push(chunk: string, now: number) {
      if (shown === received.length) at = now
      if (pushedAt !== null) spread += (Math.min(now - pushedAt, SPREAD_MS) - spread) * NEWEST
      pushedAt = now
      received += chunk
      pending.push({ end: received.length, due: now + spread })
    },
    /** The text to show now, from its beginning. */
    take(now: number): string {
      shown = endOfCharacter(received, nextShown(shown, pending, now, now - (at ?? now)))
      at = now
      pending = pending.filter(({ end }) => end > shown)
      return received.slice(0, shown)
    },
    takeAll(): string {
      shown = received.length
      pending = []
      return received
    },
    isBehind: () => shown < received.length,
  }
}

/** Shows the text as fast as the most urgent chunk needs. */
function nextShown(shown: number, pending: readonly PendingChunk[], now: number, frameMs: number): number {
  let next = shown
  for (const { end, due } of pending) {
    const wait = due - now + frameMs
    const share = wait <= frameMs ? 1 : frameMs / wait
    next = Math.max(next, shown + Math.ceil((end - shown) * share))
  }
  return next
}

/** Moves an end that splits an emoji or separates a combining accent behind the whole character. */
function endOfCharacter(text: string, end: number): number {
  let next = end
  while (next < text.length && isContinuation(text.charCodeAt(next), text.charCodeAt(next - 1))) next += 1
  return next
}

function isContinuation(code: number, before: number): boolean {
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff
  const isMark = (code >= 0x0300 && code <= 0x036f) || code === 0xfe0f || code === 0x200d
  return isLowSurrogate || isMark || before === 0x200d
}

/**
 * The texts of answers that are being written, by message. Growing text stays out of the cached thread, so that a step
 * renders only the answer and not the chat around it. The cache gets the first words, and the whole text at the end.
 */
type LiveText = Partial<Record<Flow, string>>
type Growth = Extract<AnswerEvent, { type: Flow }>

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

/** Not `useSyncExternalStore`: it leaves an effect after each change, for which React walks through the page once more. */
function useLive({ id, status }: Message, flow: keyof LiveText): string | undefined {
  const isStreaming = status === 'streaming'
  const [text, setText] = useState(() => texts.get(id)?.[flow])
  useLayoutEffect(() => {
    if (!isStreaming) return
    const read = () => setText(texts.get(id)?.[flow])
    read()
    return texts.subscribe(read)
  }, [id, flow, isStreaming])
  return isStreaming ? text : undefined
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
