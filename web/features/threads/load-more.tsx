import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface LoadMoreProps {
  list: {
    data: { pages: unknown[] } | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
}

/** Loads the next page before its reader comes to the end of this one; stops at a failure. */
export function LoadMore({ list }: LoadMoreProps) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const end = useRef<HTMLSpanElement>(null)
  const isReady = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const pages = data?.pages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever still sees the end after a page is told so anew
  useEffect(() => {
    if (!isReady || !end.current) return
    const observer = new IntersectionObserver((entries) => {
      // What came to pass meanwhile is told together; the last word counts.
      if (entries.at(-1)?.isIntersecting) fetchNextPage()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isReady, pages, fetchNextPage])

  if (!hasNextPage) return null
  return (
    <div className="relative">
      {/* It reaches far up, so that it comes into view ahead of the end. */}
      <span ref={end} aria-hidden="true" className="pointer-events-none absolute bottom-0 h-[600px] w-px" />
      {isFetchNextPageError ? (
        <div role="alert" className="flex flex-wrap items-center gap-2 px-2.5 py-2 text-sm text-muted">
          Дальше не загрузилось.
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

/** The list could not be loaded: said in its place. */
export function FailedList({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 px-2.5 pt-4 text-sm text-muted">
      Чаты не загрузились. Проверьте связь.
      <Button size="sm" onClick={onRetry}>
        Повторить
      </Button>
    </div>
  )
}
