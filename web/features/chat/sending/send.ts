import type { QueryClient } from '@tanstack/react-query'
import { newId } from '#web/lib/new-id.ts'
import { clearOutOfSymbols, NEW_CHAT } from '../state/out-of-symbols.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { pendingDeletion } from '../state/pending-deletions.ts'
import { dropMessage, returnToDraft } from './return-to-draft.ts'

type Delivery = typeof import('./deliver.ts')
let delivery: Delivery | null = null

async function load(): Promise<Delivery | null> {
  delivery ??= await import('./deliver.ts').catch(() => null)
  return delivery
}

export function preloadDelivery(): void {
  void load()
}

/**
 * Stores a message in the outbox, posts it and streams its answer into the chat. Whatever happens to this page, the
 * message stays in the outbox until the server has it.
 */
export function sendMessage(client: QueryClient, message: Omit<OutboxItem, 'id' | 'at'> & { id?: string }): void {
  clearOutOfSymbols(message.newThread ? NEW_CHAT : message.threadId)
  const deletion = message.parentId === undefined ? pendingDeletion(message.threadId) : null
  // As a reply to the deleted message it would be deleted too, if another window sent it before the deletion.
  const parent = deletion && { parentId: deletion.parentId }
  const item: OutboxItem = { id: newId(), ...message, ...parent, at: Date.now() }
  outbox().put(item)
  deliver(client, item, item.id)
}

export function retryMessage(client: QueryClient, item: OutboxItem): void {
  outbox().update(item.id, { failure: undefined })
  deliver(client, item)
}

/** Removes a message that was not sent. Those after it have waited for it. */
export function cancelMessage(client: QueryClient, item: OutboxItem): void {
  dropMessage(item)
  deliver(client, item)
}

export function editMessage(client: QueryClient, item: OutboxItem): void {
  returnToDraft(item)
  deliver(client, item)
}

/** Sends what a reload, a lost network or another window left in the outbox. */
export function sendLeftovers(client: QueryClient, userId: string): void {
  for (const item of outbox().all()) if (item.userId === userId) deliver(client, item)
}

/** Without an await when the code is loaded, so that a message leaves before the page renders it. */
function deliver(client: QueryClient, { userId, threadId }: OutboxItem, writtenId?: string) {
  const start = (loaded: Delivery | null) => void loaded?.deliverThread(client, userId, threadId, writtenId)
  if (delivery) start(delivery)
  else void load().then(start)
}
