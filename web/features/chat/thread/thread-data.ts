import type { DataTag } from '@tanstack/react-query'
import { type Message, NEW_THREAD_TITLE, type ThreadWithMessages } from '#contract/threads.ts'

/** A thread as the page keeps it: the shown branch as far as it is loaded, and where the earlier part begins. */
export interface ThreadData extends ThreadWithMessages {
  olderCursor: string | null
}

/** The newest page read again. Earlier pages stay when it goes on from them, else the branch is another one. */
export function mergeFresh(
  before: ThreadData | undefined,
  fresh: ThreadWithMessages,
  olderCursor: string | null,
): ThreadData {
  const parentId = fresh.Messages[0]?.parentId
  const parent = before && parentId ? before.Messages.findIndex(({ id }) => id === parentId) : -1
  if (!before || parent < 0) return { ...fresh, olderCursor }
  return {
    ...fresh,
    Messages: [...before.Messages.slice(0, parent + 1), ...fresh.Messages],
    olderCursor: before.olderCursor,
  }
}

/** An earlier page goes on top, unless the branch is another one by now. */
export function prependOlder(data: ThreadData, older: Message[], olderCursor: string | null): ThreadData {
  const known = new Set(data.Messages.map(({ id }) => id))
  const fitting = older.filter(({ id }) => !known.has(id))
  const joins = fitting.at(-1)?.id === data.Messages[0]?.parentId
  return joins ? { ...data, Messages: [...fitting, ...data.Messages], olderCursor } : data
}

/** What is known of a thread before the server knows it. */
export function unbornThread(id: string, userId: string, Model: ThreadData['Model']): ThreadData {
  const now = new Date().toISOString()
  return {
    id,
    title: NEW_THREAD_TITLE,
    assistantId: null,
    User: { id: userId },
    Model,
    currentLeafId: null,
    version: 0,
    pinned: false,
    archived: false,
    deletedAt: null,
    shareId: null,
    createdAt: now,
    updatedAt: now,
    Assistant: null,
    Messages: [],
    olderCursor: null,
  }
}

type ThreadKey = DataTag<readonly ['thread', string], ThreadData, Error>

/** One thread with its messages in the query cache; lists of threads have keys of their own. */
export function threadKey(id: string): ThreadKey {
  return ['thread', id] as unknown as ThreadKey
}

type TailKey = DataTag<readonly ['thread', string, 'tail', string], Message[], Error>

/** A version that was shown, with all that followed it: the way back to it needs no waiting. */
export function tailKey(threadId: string, messageId: string): TailKey {
  return ['thread', threadId, 'tail', messageId] as unknown as TailKey
}
