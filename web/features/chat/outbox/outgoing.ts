import { navigate } from 'wouter/use-browser-location'
import { newId } from '#web/lib/new-id.ts'
import { paths } from '#web/lib/paths.ts'
import { hangUp } from '../answers/answer-run.ts'
import { getRun } from '../answers/runs.ts'
import { draftKey, drafts } from '../composer/drafts.ts'
import { setOutOfSymbols } from './out-of-symbols.ts'
import { type OutboxItem, outbox } from './outbox.ts'

/** Puts a message on its way. From here on it is safe: neither a reload nor a lost connection loses it. */
export function sendMessage(message: Omit<OutboxItem, 'id' | 'at'>): void {
  setOutOfSymbols(message.threadId, null)
  outbox().put({ ...message, id: newId(), at: Date.now() })
}

export function tryAgain({ id }: OutboxItem): void {
  outbox().update(id, { failed: undefined })
}

/** Takes a message back from its way. */
export function cancelMessage(item: OutboxItem): void {
  const { id, threadId, newThread } = item
  // A thread that was to begin with it never was.
  if (newThread && openedAlone(item)) navigate(paths.home(), { replace: true })
  outbox().remove(id)
  const run = getRun(threadId)
  if (run?.questionId === id && !run.messageId) hangUp(threadId)
}

/** The same, with its text back in the field, before whatever was begun there. */
export function takeBack(item: OutboxItem): void {
  const key = draftKey(item.userId, item.newThread && openedAlone(item) ? null : item.threadId)
  const { text, files } = drafts().read(key)
  drafts().write(key, {
    text: [item.content, text].filter(Boolean).join('\n\n'),
    files: [...item.files, ...files],
  })
  cancelMessage(item)
}

function openedAlone({ id, threadId }: OutboxItem): boolean {
  return !outbox()
    .all()
    .some((other) => other.threadId === threadId && other.id !== id)
}
