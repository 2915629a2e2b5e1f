import type { DataTag } from '@tanstack/react-query'
import { type Message, NEW_THREAD_TITLE, TEMPORARY_TITLE, type ThreadWithMessages } from '#contract/threads.ts'

/** A cached thread: the loaded part of the shown branch, and the cursor of the part before it. */
export interface ThreadData extends ThreadWithMessages {
  olderCursor: string | null
}

/** Merges the newest page. Earlier pages stay if it continues them; otherwise the branch has changed. */
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

/** Adds an earlier page, unless the branch has changed meanwhile. */
export function prependOlder(data: ThreadData, older: Message[], olderCursor: string | null): ThreadData {
  const known = new Set(data.Messages.map(({ id }) => id))
  const fitting = older.filter(({ id }) => !known.has(id))
  const joins = fitting.at(-1)?.id === data.Messages[0]?.parentId
  return joins ? { ...data, Messages: [...fitting, ...data.Messages], olderCursor } : data
}

export function unsavedThread(id: string, userId: string, Model: ThreadData['Model'], temporary = false): ThreadData {
  const now = new Date().toISOString()
  return {
    id,
    title: temporary ? TEMPORARY_TITLE : NEW_THREAD_TITLE,
    assistantId: null,
    projectId: null,
    User: { id: userId },
    Model,
    movedFrom: null,
    currentLeafId: null,
    version: 0,
    pinned: false,
    archived: false,
    temporary,
    deletedAt: null,
    shareId: null,
    createdAt: now,
    updatedAt: now,
    Assistant: null,
    Project: null,
    Messages: [],
    Summaries: [],
    olderCursor: null,
  }
}

type ThreadKey = DataTag<readonly ['thread', string], ThreadData, Error>

/** The key of one thread with its messages; lists of threads have other keys. */
export function threadKey(id: string): ThreadKey {
  return ['thread', id] as unknown as ThreadKey
}

type TailKey = DataTag<readonly ['thread', string, 'tail', string], Message[], Error>

/** The messages from a version on, cached so that returning to it needs no request. */
export function tailKey(threadId: string, messageId: string): TailKey {
  return ['thread', threadId, 'tail', messageId] as unknown as TailKey
}
