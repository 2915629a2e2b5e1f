import type { DataTag } from '@tanstack/react-query'
import type { Message } from '#contract/threads.ts'

type TailKey = DataTag<readonly ['thread', string, 'tail', string], Message[], Error>

/** A version that was shown, with all that followed it: the way back to it needs no waiting. */
export function tailKey(threadId: string, messageId: string): TailKey {
  return ['thread', threadId, 'tail', messageId] as unknown as TailKey
}
