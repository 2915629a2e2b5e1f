import { useQuery } from '@tanstack/react-query'
import type { ChainState } from '#contract/audit.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ShieldAlert, ShieldCheck } from '#web/ui/icons.ts'
import { chainQuery } from './queries.ts'

const breakReasons = {
  gap: 'перед ней не хватает записей',
  link: 'она не продолжает предыдущую',
  content: 'её содержание изменили в обход приложения',
}

/** Shows whether the log was changed outside the application. Runs on demand: the check reads the whole log. */
export function ChainStatus() {
  const { data, error, isFetching, refetch } = useQuery(chainQuery)
  return (
    <div className="flex max-w-full flex-wrap items-center gap-x-4 gap-y-2">
      <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
        {data ? 'Проверить ещё раз' : 'Проверить цепочку'}
      </Button>
      <div role="status">
        {data && <State state={data} />}
        {error && !data && <p className="text-sm text-danger">Не удалось проверить: {callErrorText(error)}</p>}
      </div>
    </div>
  )
}

function State({ state: { count, head, broken } }: { state: ChainState }) {
  if (broken)
    return (
      <p className="flex max-w-md gap-2 text-danger">
        <ShieldAlert size={20} className="mt-0.5 shrink-0" />
        <span>
          Цепочка порвана на записи № {formatNumber(broken.id)}: {breakReasons[broken.reason]}.
        </span>
      </p>
    )
  return (
    <p className="flex gap-2 text-success">
      <ShieldCheck size={20} className="mt-0.5 shrink-0" />
      <span>
        Цепочка цела: {formatNumber(count)} {plural(count, 'запись', 'записи', 'записей')}
        {head && (
          <span className="block text-sm text-muted">
            Последний хеш <code title={head}>{head.slice(0, 12)}…</code>
          </span>
        )}
      </span>
    </p>
  )
}
