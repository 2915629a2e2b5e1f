import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { plural } from '#web/lib/format.ts'
import { notify } from '#web/lib/notify.ts'
import { deleteMessage } from '../queries.ts'

/** Messages that are out of sight and not yet deleted: there is a moment to change one's mind. */

const MOMENT_MS = 8000

interface Deletion {
  messageId: string
  carryOut: () => Promise<void>
}

const deletions = new Map<string, Deletion>()
const listeners = new Set<() => void>()

function set(threadId: string, deletion: Deletion | null) {
  if (deletion) deletions.set(threadId, deletion)
  else deletions.delete(threadId)
  for (const listener of listeners) listener()
}

/** Hides a message with the `following` ones below it and deletes them after a moment. */
export function deleteSoon(client: QueryClient, threadId: string, messageId: string, following: number): void {
  void finishDeletion(threadId)
  const id = `delete:${messageId}`
  const leave = () => void carryOut()
  const timer = setTimeout(leave, MOMENT_MS)
  addEventListener('pagehide', leave)

  function end() {
    clearTimeout(timer)
    removeEventListener('pagehide', leave)
  }
  async function carryOut() {
    if (deletions.get(threadId)?.messageId !== messageId) return
    end()
    notify.close(id)
    try {
      await deleteMessage(client, threadId, messageId)
    } catch {
      notify.error({ title: 'Не удалось удалить сообщение', description: 'Проверьте связь и повторите.' })
    }
    if (deletions.get(threadId)?.messageId === messageId) set(threadId, null)
  }

  set(threadId, { messageId, carryOut })
  notify.info({
    id,
    title: deletionLabel(following),
    onClose: leave,
    action: {
      label: 'Отменить',
      onClick: () => {
        end()
        set(threadId, null)
      },
    },
  })
}

/** Whoever goes on in the thread has made up his mind. */
export async function finishDeletion(threadId: string): Promise<void> {
  await deletions.get(threadId)?.carryOut()
}

export function deletionLabel(following: number): string {
  if (following === 0) return 'Сообщение удалено'
  const noun = plural(following, 'следующее', 'следующих', 'следующих')
  return `Удалено сообщение и ${following} ${noun} за ним`
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDeletingId(threadId: string): string | null {
  return useSyncExternalStore(subscribe, () => deletions.get(threadId)?.messageId ?? null)
}
