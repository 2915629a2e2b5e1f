import { navigate } from 'wouter/use-browser-location'
import { newId } from '#web/lib/new-id.ts'
import { paths } from '#web/lib/paths.ts'
import { getRun } from '../answers/runs.ts'
import { draftKey, drafts } from '../composer/drafts.ts'
import { clearOutOfSymbols } from './out-of-symbols.ts'
import { type OutboxItem, outbox } from './outbox.ts'

/** Puts a message into the outbox, which survives reloads and lost connections. */
export function sendMessage(message: Omit<OutboxItem, 'id' | 'at'>): void {
  clearOutOfSymbols(message.threadId)
  outbox().put({ ...message, id: newId(), at: Date.now() })
}

export function retryMessage({ id }: OutboxItem): void {
  outbox().update(id, { failure: undefined })
}

/** Removes a message that was not sent. */
export function cancelMessage(item: OutboxItem): void {
  const { id, threadId, newThread } = item
  // The thread was never created.
  if (newThread && isOnlyMessage(item)) navigate(paths.home(), { replace: true })
  outbox().remove(id)
  const run = getRun(threadId)
  if (run?.questionId === id && !run.messageId) run.disconnect?.()
}

/** Removes a message and puts its text into the field, before the text that is there. */
export function returnToDraft(item: OutboxItem): void {
  const key = draftKey(item.userId, item.newThread && isOnlyMessage(item) ? null : item.threadId)
  const { text, files } = drafts().read(key)
  drafts().write(key, {
    text: [item.content, text].filter(Boolean).join('\n\n'),
    files: [...item.files, ...files],
  })
  cancelMessage(item)
}

function isOnlyMessage({ id, threadId }: OutboxItem): boolean {
  return !outbox()
    .all()
    .some((other) => other.threadId === threadId && other.id !== id)
}
