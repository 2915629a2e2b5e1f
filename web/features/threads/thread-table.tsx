import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedList } from './failed-list.tsx'
import { LoadMore } from './load-more.tsx'
import { NoThreads } from './no-threads.tsx'
import { threadsQuery } from './queries.ts'
import { TableRows } from './table-rows.tsx'
import type { ThreadsShown } from './thread-filter.ts'
import { rowsOf } from './thread-pages.ts'

interface ThreadTableProps {
  shown: ThreadsShown
  onShow: (shown: ThreadsShown) => void
}

/** The page of chats below its field and tabs. */
export function ThreadTable({ shown, onShow }: ThreadTableProps) {
  const { view, query } = shown
  const list = useInfiniteQuery(threadsQuery(view, query))
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  if (!list.data) return list.isError ? <FailedList onRetry={() => void list.refetch()} /> : <Loading />
  if (rows.length === 0 && !list.hasNextPage) return <NoThreads shown={shown} onShow={onShow} />
  return (
    <div className="flex flex-col" aria-busy={list.isPlaceholderData || undefined}>
      <TableRows key={view} view={view} rows={rows} />
      <LoadMore list={list} />
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-2 pt-11">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-15" />
      ))}
    </div>
  )
}
