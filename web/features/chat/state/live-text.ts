import { useSyncExternalStore } from 'react'
import type { AnswerEvent } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { createKeyedStore } from '#web/lib/create-keyed-store.ts'

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
