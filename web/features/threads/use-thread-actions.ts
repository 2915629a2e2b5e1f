import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { type Thread, TRASH_DAYS } from '#contract/threads.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { message, notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { lastThread, openThreadId, rememberThread, wayAfterDelete } from './open-thread.ts'
import { useDeleteForever, useDeleteThreads, useUpdateThreads } from './queries.ts'
import { listedIds } from './thread-cache.ts'

/** What can be done with threads, with the notice and the way back that belong to it. The same object at every render. */
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
      /** The open thread is left for the next one, and undoing leads back to it. */
      remove(threads: Thread[]) {
        const openId = openThreadId()
        const deletedIds = threads.map(({ id }) => id)
        for (const { id, User } of threads) if (lastThread(User.id) === id) rememberThread(User.id, null)
        const way = wayAfterDelete({ openId, deletedIds, listIds: listedIds(client) })
        const goBack = () => way && openId && navigate(paths.thread(openId))
        // What failed is said by the one place that shows failures.
        void putInTrash({ threads }).catch(() => {
          undoing.withdraw()
          goBack()
        })
        if (way) navigate(way, { replace: true })
        offerUndo(threads, 'корзине', () => {
          // Before that there is nothing to go back to.
          void updateFirst({ threads, change: { deleted: false } }).then(goBack, () => undefined)
        })
      },
      takeBack(threads: Thread[]) {
        const isDeleted = threads.some(({ deletedAt }) => deletedAt)
        update({ threads, change: isDeleted ? { deleted: false } : { archived: false } })
        undoing.withdraw()
        message.success(`${someThreads(threads.length)} снова в списке`)
      },
      removeForever: (threads: Thread[]) => void destroy({ threads }).catch(() => undefined),
    }),
    [client, update, updateFirst, putInTrash, destroy],
  )
}

export type ThreadActions = ReturnType<typeof useThreadActions>

/** One notice at a time, the last act's; each under a name of its own, so that each has its whole time. */
const undoing = {
  count: 0,
  withdraw: () => notify.close(`threads-moved-${undoing.count}`),
}

function offerUndo(threads: Thread[], place: 'архиве' | 'корзине', undo: () => void) {
  undoing.withdraw()
  undoing.count += 1
  notify.info({
    id: `threads-moved-${undoing.count}`,
    title: `${someThreads(threads.length)} в ${place}`,
    ...(place === 'корзине' && {
      description: `${threads.length === 1 ? 'Хранится' : 'Хранятся'} там ${TRASH_DAYS} дней.`,
    }),
    action: { label: 'Отменить', onClick: undo },
  })
}

function someThreads(count: number): string {
  return count === 1 ? 'Чат' : `${formatNumber(count)} ${plural(count, 'чат', 'чата', 'чатов')}`
}
