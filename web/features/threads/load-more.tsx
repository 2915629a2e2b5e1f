import { useEffect, useRef } from 'react'
import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface LoadMoreProps {
  list: {
    data: { pages: unknown[] } | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: Error | null
    fetchNextPage: () => unknown
  }
}

/** Loads the next page before the end of the list is reached; after an error it waits for a click. */
export function LoadMore({ list }: LoadMoreProps) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = list
  const end = useRef<HTMLSpanElement>(null)
  const isReady = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const pages = data?.pages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer reports an end that is still visible after a page
  useEffect(() => {
    if (!isReady || !end.current) return
    const observer = new IntersectionObserver((entries) => {
      // Several changes come in one call; the last one counts.
      if (entries.at(-1)?.isIntersecting) fetchNextPage()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isReady, pages, fetchNextPage])

  if (!hasNextPage) return null
  return (
    <div className="relative">
      {/* 600 px high, so that it is visible before the end of the list is. */}
      <span ref={end} aria-hidden="true" className="pointer-events-none absolute bottom-0 h-[600px] w-px" />
      {isFetchNextPageError ? (
        <div role="alert" className="flex flex-wrap items-center gap-2 px-2.5 py-2 text-sm text-muted">
          Дальше не загрузилось. {callErrorText(error)}
          <Button size="sm" onClick={() => fetchNextPage()}>
            Повторить
          </Button>
        </div>
      ) : (
        <Skeleton className="mx-2.5 my-2 h-5" />
      )}
    </div>
  )
}

export function ListLoadError({ query }: { query: { error: Error | null; refetch: () => unknown } }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 px-2.5 pt-4 text-sm text-muted">
      Чаты не загрузились. {callErrorText(query.error)}
      <Button size="sm" onClick={() => void query.refetch()}>
        Повторить
      </Button>
    </div>
  )
}
