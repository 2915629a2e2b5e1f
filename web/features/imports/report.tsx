import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { itemReason } from './labels.ts'
import { reportQuery } from './queries.ts'

/** What did not come, or came in part, and why. */
export function Report({ id }: { id: string }) {
  const report = useInfiniteQuery(reportQuery(id))
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = report
  if (report.isError && !data) return <QueryError query={report} title="Отчёт не открылся" />
  if (!data) return <Skeleton className="h-20" />
  const items = data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <p className="text-muted">Всё перенеслось целиком.</p>
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col divide-y rounded-md border">
        {items.map((item) => (
          <li key={item.id} className="px-4 py-2.5">
            <p className="font-medium wrap-anywhere">
              {item.threadId ? (
                <TextLink href={paths.thread(item.threadId)}>{item.title || 'Чат без названия'}</TextLink>
              ) : (
                item.title || 'Чат без названия'
              )}
            </p>
            <p className="text-sm text-pretty text-muted">{itemReason(item)}</p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="self-start" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Показать ещё
        </Button>
      )}
    </div>
  )
}
