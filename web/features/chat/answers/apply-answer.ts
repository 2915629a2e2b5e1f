import type { AnswerEvent } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'

/** Folds an event of the answer into the shown branch. Messages that it does not touch stay the same objects. */
export function applyAnswer(messages: Message[], event: AnswerEvent): Message[] {
  switch (event.type) {
    case 'start':
      return [...branchBefore(messages, event.user), event.user, event.assistant]
    case 'delta':
      return changeStreaming(messages, (message) => ({ ...message, content: grow(message.content, event) }))
    case 'done':
      return messages.map((message) => (message.id === event.message.id ? event.message : message))
    case 'error':
      return changeStreaming(messages, (message) => ({
        ...message,
        status: event.code === 'out_of_symbols' ? 'out_of_symbols' : 'failed',
        error: { code: event.code, message: event.message },
      }))
  }
}

/** What stays above a question: all before it, or all up to its parent. A parent that is not loaded changes nothing. */
function branchBefore(messages: Message[], { id, parentId }: Message): Message[] {
  const own = messages.findIndex((message) => message.id === id)
  if (own >= 0) return messages.slice(0, own)
  if (parentId === null) return []
  const parent = messages.findIndex((message) => message.id === parentId)
  return parent < 0 ? messages : messages.slice(0, parent + 1)
}

/** A piece is placed by its offset, so one that comes twice is one. A piece behind a gap is left out. */
function grow(content: string, { offset, text }: { offset: number; text: string }): string {
  const from = offset - text.length
  return from > content.length ? content : content.slice(0, from) + text
}

function changeStreaming(messages: Message[], change: (message: Message) => Message): Message[] {
  const index = messages.findLastIndex(({ status }) => status === 'streaming')
  const message = messages[index]
  return message ? messages.with(index, change(message)) : messages
}
