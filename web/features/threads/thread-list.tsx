import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedList } from './failed-list.tsx'
import { LoadMore } from './load-more.tsx'
import { threadsQuery } from './queries.ts'
import { type Answering, ThreadGroups } from './thread-groups.tsx'
import { rowsOf } from './thread-pages.ts'

interface ThreadListProps {
  answering: Answering
  /** Somebody goes where the list should be out of the way. */
  onLeave?: () => void
}

/** The chats in the panel, by day. */
export function ThreadList({ answering, onLeave }: ThreadListProps) {
  const list = useInfiniteQuery(threadsQuery('active'))
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  if (!list.data) return list.isError ? <FailedList onRetry={() => void list.refetch()} /> : <Loading />
  if (rows.length === 0 && !list.hasNextPage)
    return (
      <p className="px-2.5 pt-4 text-pretty text-sm text-muted">Здесь появятся ваши чаты. Напишите первый вопрос.</p>
    )
  return (
    <>
      <ThreadGroups rows={rows} answering={answering} onLeave={onLeave} />
      <LoadMore list={list} />
    </>
  )
}

const widths = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/6', 'w-3/5', 'w-2/5']

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4 px-2.5 pt-5">
      {widths.map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  )
}
