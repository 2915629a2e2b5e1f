import type { Message } from '#contract/threads.ts'
import { unsavedThread } from '../state/thread-data.ts'

export function aMessage(id: string, change: Partial<Message> = {}): Message {
  return {
    id,
    threadId: 't1',
    parentId: null,
    role: 'user',
    content: `Текст ${id}`,
    status: 'complete',
    modelId: null,
    input: 0,
    output: 0,
    charged: 0,
    parts: null,
    error: null,
    files: [],
    citations: [],
    siblings: [id],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...change,
  }
}

/** A branch: q1 → a1 → q2 → a2 … */
export function aBranch(...ids: string[]): Message[] {
  return ids.map((id, i) =>
    aMessage(id, { parentId: ids[i - 1] ?? null, role: id.startsWith('a') ? 'assistant' : 'user' }),
  )
}

export function aThread(messages: Message[], olderCursor: string | null = null) {
  return { ...unsavedThread('t1', 'anna', null), Messages: messages, olderCursor }
}
