import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#web/lib/format.ts'
import { once } from '#web/lib/once.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { spendingQuery } from './queries.ts'

/** Symbols of the project by month. */
export function Spending({ id }: { id: string }) {
  const query = useQuery(spendingQuery(id))
  if (!query.data) return query.isError ? <QueryError query={query} /> : <Skeleton className="h-24" />
  if (query.data.length === 0) return <p className="text-muted">В проекте ещё ничего не потрачено.</p>
  return (
    <table className="figures w-full max-w-lg text-left">
      <caption className="pb-3 text-left text-sm text-pretty text-muted">
        Символы чатов, которые сейчас в проекте, и его файлов.
      </caption>
      <thead className="text-sm text-muted">
        <tr>
          <th className="py-1 font-normal">Месяц</th>
          <th className="py-1 text-right font-normal">Чаты</th>
          <th className="py-1 text-right font-normal">Файлы</th>
          <th className="py-1 text-right font-normal">Всего</th>
        </tr>
      </thead>
      <tbody>
        {query.data.map(({ month, chats, files }) => (
          <tr key={month} className="border-t">
            <th className="py-2 font-normal">{monthName(month)}</th>
            <td className="py-2 text-right">{formatNumber(chats)}</td>
            <td className="py-2 text-right">{formatNumber(files)}</td>
            <td className="py-2 text-right font-medium">{formatNumber(chats + files)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const monthFormat = once(() => new Intl.DateTimeFormat('ru-RU', { month: 'long', year: 'numeric', timeZone: 'UTC' }))
const monthName = (month: string) =>
  monthFormat()
    .format(new Date(`${month}-01T00:00:00Z`))
    .replace(' г.', '')
