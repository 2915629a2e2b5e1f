import type { DataTag } from '@tanstack/react-query'
import type { ThreadData } from './thread-data.ts'

type ThreadKey = DataTag<readonly ['thread', string], ThreadData, Error>

/** One thread with its messages in the query cache; lists of threads have keys of their own. */
export function threadKey(id: string): ThreadKey {
  return ['thread', id] as unknown as ThreadKey
}
