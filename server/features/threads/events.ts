import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'

interface Changed {
  userId: string
  id: string
  version: number
}

/** Publishes the change to all pages of the owner, after the commit. */
export function publishThread(
  publish: Publish,
  { userId, id, version }: Changed,
  type: 'changed' | 'removed' = 'changed',
) {
  afterCommit(() => {
    publish(userId, { topic: 'threads', type, data: { id } })
    publish(userId, { topic: `thread:${id}`, type: 'changed', data: { version } })
  })
}
