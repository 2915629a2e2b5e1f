import type { QueryClient } from '@tanstack/react-query'
import { formatNumber, plural } from '#web/lib/format.ts'
import { undoable } from '#web/lib/undoable.ts'
import { deleteMessage } from '../queries.ts'

/** The pending deletion of each thread. */
const pending = new Map<string, () => Promise<void>>()

/** Hides a message with the `following` messages after it and deletes them unless it is undone. */
export function deleteWithUndo(client: QueryClient, threadId: string, messageId: string, following: number): void {
  void finishDeletion(threadId)
  const finish = undoable({
    id: messageId,
    title: deletionLabel(following),
    action: () =>
      deleteMessage(client, threadId, messageId).catch(() => {
        throw new Error('Проверьте связь и повторите.')
      }),
    failed: 'Не удалось удалить сообщение',
  })
  pending.set(threadId, finish)
}

/** A new question in the thread ends the time for undo: it must follow the messages that stay. */
export async function finishDeletion(threadId: string): Promise<void> {
  await pending.get(threadId)?.()
}

/** The same for an action that must not wait when there is nothing to wait for. */
export function afterDeletion(threadId: string, action: () => void): void {
  if (pending.has(threadId)) void finishDeletion(threadId).then(action)
  else action()
}

function deletionLabel(following: number): string {
  if (following === 0) return 'Сообщение удалено'
  return `Удалено ${formatNumber(following + 1)} ${plural(following + 1, 'сообщение', 'сообщения', 'сообщений')}`
}
