import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { type Thread, TRASH_DAYS } from '#contract/threads.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { message, notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { lastThread, openThreadId, pathAfterDelete, rememberThread } from './open-thread.ts'
import { useDeleteForever, useDeleteThreads, useUpdateThreads } from './queries.ts'
import { listedIds } from './thread-cache.ts'

/** Actions on threads with their notices and undo. The same object at every render. */
export function useThreadActions() {
  const client = useQueryClient()
  const { mutate: update, mutateAsync: updateFirst } = useUpdateThreads()
  const { mutateAsync: putInTrash } = useDeleteThreads()
  const { mutateAsync: destroy } = useDeleteForever()
  return useMemo(
    () => ({
      rename: (thread: Thread, title: string) => update({ threads: [thread], change: { title } }),
      pin: (thread: Thread) => update({ threads: [thread], change: { pinned: !thread.pinned } }),
      archive(threads: Thread[]) {
        update({ threads, change: { archived: true } })
        offerUndo(threads, 'архиве', () => update({ threads, change: { archived: false } }))
      },
      /** Leaves a deleted thread that is open for the next one; undo returns to it. */
      remove(threads: Thread[]) {
        const openId = openThreadId()
        const deletedIds = threads.map(({ id }) => id)
        for (const { id, User } of threads) if (lastThread(User.id) === id) rememberThread(User.id, null)
        const way = pathAfterDelete({ openId, deletedIds, listIds: listedIds(client) })
        const goBack = () => way && openId && navigate(paths.thread(openId))
        // The mutation cache shows the error.
        void putInTrash({ threads }).catch(() => {
          undoNotice.withdraw()
          goBack()
        })
        if (way) navigate(way, { replace: true })
        offerUndo(threads, 'корзине', () => {
          // Before the restore is done the thread is a 404.
          void updateFirst({ threads, change: { deleted: false } }).then(goBack, () => undefined)
        })
      },
      restore(threads: Thread[]) {
        const isDeleted = threads.some(({ deletedAt }) => deletedAt)
        update({ threads, change: isDeleted ? { deleted: false } : { archived: false } })
        undoNotice.withdraw()
        message.success(`${threadsLabel(threads.length)} снова в списке`)
      },
      removeForever: (threads: Thread[]) => void destroy({ threads }).catch(() => undefined),
    }),
    [client, update, updateFirst, putInTrash, destroy],
  )
}

export type ThreadActions = ReturnType<typeof useThreadActions>

/** Only the notice of the last action is shown. Each has its own id, so that each is shown for its full time. */
const undoNotice = {
  count: 0,
  withdraw: () => notify.close(`threads-moved-${undoNotice.count}`),
}

function offerUndo(threads: Thread[], where: 'архиве' | 'корзине', undo: () => void) {
  undoNotice.withdraw()
  undoNotice.count += 1
  notify.info({
    id: `threads-moved-${undoNotice.count}`,
    title: `${threadsLabel(threads.length)} в ${where}`,
    ...(where === 'корзине' && {
      description: `${threads.length === 1 ? 'Хранится' : 'Хранятся'} там ${TRASH_DAYS} дней.`,
    }),
    action: { label: 'Отменить', onClick: undo },
  })
}

export function threadsLabel(count: number): string {
  return count === 1 ? 'Чат' : `${formatNumber(count)} ${plural(count, 'чат', 'чата', 'чатов')}`
}
