import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { keysQuery } from '#web/features/api-keys/queries.ts'
import { type ChangeOf, isFiltered } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Download } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { csvAddress, type OperationFilter, operationParams, toOperationQuery } from './operation-filter.ts'
import { OperationRow } from './operation-row.tsx'
import { operationsQuery } from './queries.ts'

export function OperationList({ filter }: { filter: OperationFilter }) {
  const operations = useInfiniteQuery(operationsQuery(toOperationQuery(filter)))
  if (!operations.data) return operations.isError ? <QueryError query={operations} /> : <Skeleton className="h-48" />

  const rows = operations.data.pages.flatMap(({ items }) => items)
  if (rows.length === 0)
    return (
      <p className="text-muted">
        {hasFilter(filter)
          ? 'Таких операций нет. Попробуйте другой период.'
          : 'Операций пока нет: они появятся, как только вы напишете в чат или пополните баланс.'}
      </p>
    )
  return (
    <div className="flex flex-col gap-4" aria-busy={operations.isPlaceholderData || undefined}>
      <ul className="rounded-md border bg-surface">
        {rows.map((operation) => (
          <OperationRow key={operation.id} operation={operation} />
        ))}
      </ul>
      {operations.isError && <QueryError query={operations} />}
      {operations.hasNextPage && (
        <Button
          className="self-center"
          busy={operations.isFetchingNextPage}
          onClick={() => void operations.fetchNextPage()}
        >
          Показать ещё
        </Button>
      )}
    </div>
  )
}

const hasFilter = (filter: OperationFilter) => isFiltered(filter, Object.keys(operationParams))

const directions = [
  { value: 'all', label: 'Все' },
  { value: 'in', label: 'Начисления' },
  { value: 'out', label: 'Списания' },
] as const

interface OperationFilterBarProps {
  filter: OperationFilter
  onChange: (change: ChangeOf<OperationFilter>) => void
}

export function OperationFilterBar({ filter, onChange }: OperationFilterBarProps) {
  const { operations, from, to, key } = filter
  const keys = useQuery(keysQuery).data?.keys ?? []
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label="Какие операции показать"
          value={operations ?? 'all'}
          options={directions}
          onChange={(next) => onChange({ operations: next === 'all' ? null : next })}
        />
        <a href={csvAddress(filter)} download className={buttonStyle('ghost', 'sm')}>
          <Download size={16} />
          Скачать CSV
        </a>
      </div>
      <div className="grid grid-cols-2 items-end gap-3 sm:flex">
        <TextField
          label="С"
          type="date"
          value={from}
          max={to || undefined}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <TextField
          label="По"
          type="date"
          value={to}
          min={from || undefined}
          onChange={(event) => onChange({ to: event.target.value })}
        />
        {(keys.length > 0 || key) && (
          <div className="col-span-2 min-w-0 sm:w-56">
            <SelectField
              label="Ключ API"
              value={key}
              options={[
                { value: '', label: 'Любой и без ключа' },
                ...keys.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(event) => onChange({ key: event.target.value })}
            />
          </div>
        )}
        {hasFilter(filter) && (
          <Button variant="ghost" onClick={() => onChange({ operations: null, from: null, to: null, key: null })}>
            Показать все
          </Button>
        )}
      </div>
    </div>
  )
}
