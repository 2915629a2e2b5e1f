import type { Message } from '#contract/threads.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { isUnsent, type Run } from '../state/runs.ts'

export interface Row {
  message: Message
  /** The message is not on the server yet. */
  outgoing?: OutboxItem
}

export interface ThreadRows {
  rows: Row[]
  /** An answer was requested, and no text of it has arrived. */
  isThinking: boolean
  queued: OutboxItem[]
}

interface RowContext {
  messages: Message[]
  run: Run | undefined
  /** The outbox of this thread, oldest first. */
  items: OutboxItem[]
  /** This message and all after it are being deleted. */
  deletingId: string | null
}

/** The rows of a thread: stored messages with the outbox, the running answer and the deletion applied. */
export function buildRows({ messages, run, items, deletingId }: RowContext): ThreadRows {
  const stored = cutFrom(messages, deletingId)
  const known = new Set(messages.map(({ id }) => id))
  const waiting = items.filter(({ id }) => !known.has(id))
  const isAnswering = run ? run.messageId !== null || run.kind !== 'send' : isStreaming(messages)
  const [first] = waiting
  if (first && !isAnswering) {
    const row = { message: asMessage(first, stored), outgoing: first }
    const rows = [...upTo(stored, first.parentId).map((message) => ({ message })), row]
    return { rows, isThinking: run !== undefined && !isUnsent(run), queued: waiting.slice(1) }
  }
  const asks = run?.kind === 'regenerate' && run.messageId === null
  const shown = asks ? upTo(stored, run.questionId) : stored
  return { rows: shown.map((message) => ({ message })), isThinking: asks, queued: waiting }
}

const isStreaming = (messages: Message[]) => messages.at(-1)?.status === 'streaming'

function cutFrom(messages: Message[], id: string | null): Message[] {
  const index = id === null ? -1 : messages.findIndex((message) => message.id === id)
  return index < 0 ? messages : messages.slice(0, index)
}

/** The branch up to this message; undefined means the whole branch. */
function upTo(messages: Message[], id: string | null | undefined): Message[] {
  if (id === undefined) return messages
  const index = messages.findIndex((message) => message.id === id)
  return index < 0 && id !== null ? messages : messages.slice(0, index + 1)
}

function asMessage({ id, threadId, content, files, imageId, parentId, at }: OutboxItem, stored: Message[]): Message {
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
    ...(imageId && { imageId }),
    citations: [],
    siblings: [id],
    createdAt: new Date(at).toISOString(),
  }
}
