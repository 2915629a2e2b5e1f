import type { Message } from '#contract/threads.ts'
import type { Run } from '../answers/runs.ts'
import type { OutboxItem } from '../outbox/outbox.ts'

export interface Row {
  message: Message
  /** It is still on its way to the server. */
  outgoing?: OutboxItem
}

export interface Shown {
  rows: Row[]
  /** An answer was asked for, and not a word of it is here. */
  isThinking: boolean
  /** What waits until it may be sent. */
  queued: OutboxItem[]
}

interface RowContext {
  messages: Message[]
  run: Run | undefined
  /** The messages of this thread on their way, oldest first. */
  items: OutboxItem[]
  /** About to be deleted, with all that follows it. */
  deletingId: string | null
}

/** What a thread shows: what the server knows, as it will look when everything that is under way has come about. */
export function showRows({ messages, run, items, deletingId }: RowContext): Shown {
  const stored = cutFrom(messages, deletingId)
  const known = new Set(messages.map(({ id }) => id))
  const waiting = items.filter(({ id }) => !known.has(id))
  const isAnswering = run ? run.messageId !== null || run.kind !== 'send' : isStreaming(messages)
  const [first] = waiting
  if (first && !isAnswering) {
    const row = { message: asMessage(first, stored), outgoing: first }
    const rows = [...upTo(stored, first.parentId).map((message) => ({ message })), row]
    return { rows, isThinking: run !== undefined, queued: waiting.slice(1) }
  }
  const asks = run?.kind === 'regenerate' && run.messageId === null
  const shown = asks ? upTo(stored, run.questionId) : stored
  return { rows: shown.map((message) => ({ message })), isThinking: asks, queued: waiting }
}

const isStreaming = (messages: Message[]) => messages.at(-1)?.status === 'streaming'

function cutFrom(messages: Message[], id: string | null): Message[] {
  const place = id === null ? -1 : messages.findIndex((message) => message.id === id)
  return place < 0 ? messages : messages.slice(0, place)
}

/** The branch with this message as its last; nothing said, the whole of it. */
function upTo(messages: Message[], id: string | null | undefined): Message[] {
  if (id === undefined) return messages
  const place = messages.findIndex((message) => message.id === id)
  return place < 0 && id !== null ? messages : messages.slice(0, place + 1)
}

function asMessage({ id, threadId, content, files, parentId, at }: OutboxItem, stored: Message[]): Message {
  return {
    id,
    threadId,
    parentId: parentId === undefined ? (stored.at(-1)?.id ?? null) : parentId,
    role: 'user',
    content,
    status: 'complete',
    modelId: null,
    input: 0,
    output: 0,
    charged: 0,
    parts: null,
    error: null,
    files,
    citations: [],
    siblings: [id],
    createdAt: new Date(at).toISOString(),
  }
}
