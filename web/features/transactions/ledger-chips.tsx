import { useQuery } from '@tanstack/react-query'
import { TransactionKindFilter } from '#contract/transactions.ts'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { FilterChips } from '#web/ui/table/filter-chips.tsx'
import type { OperationLabels } from './cells.tsx'
import type { LedgerState } from './ledger-filter.ts'
import { keysOfQuery, ledgerQuery } from './queries.ts'

interface LedgerChipsProps {
  state: LedgerState
  change: (change: ChangeOf<LedgerState>) => void
  labels: OperationLabels
  models: { id: string; name: string }[]
}

export function LedgerChips({ state, change, labels, models }: LedgerChipsProps) {
  const { user, key } = state
  const person = useQuery({ ...ledgerQuery({ userId: user, page: 1, size: 1 }), enabled: user !== '' })
  const keys = useQuery({ ...keysOfQuery(user), enabled: user !== '' && key !== '' })
  return (
    <FilterChips
      state={state}
      change={change}
      chips={[
        { fixed: 'user', label: 'Пользователь', value: person.data?.items[0]?.email ?? user },
        { fixed: 'key', label: 'Ключ API', value: keys.data?.find(({ id }) => id === key)?.name ?? key },
        {
          filter: 'kind',
          label: 'Вид',
          any: 'Все операции',
          options: TransactionKindFilter.options.map((value) => ({ value, label: labels.name(value) })),
        },
        {
          filter: 'direction',
          label: 'Направление',
          any: 'Начисления и списания',
          options: { in: 'Начисления', out: 'Списания' },
        },
        { filter: 'model', label: 'Модель', any: 'Все модели', options: modelOptions(models, state.model) },
        { from: 'from', to: 'to', type: 'date', label: 'Период' },
        { from: 'least', to: 'most', type: 'number', label: 'Символов' },
      ]}
    />
  )
}

/** A deleted model still has charges, so the id from the URL stays in the list. */
function modelOptions(models: LedgerChipsProps['models'], chosen: string) {
  const known = models.map(({ id, name }) => ({ value: id, label: name }))
  return chosen && !models.some(({ id }) => id === chosen) ? [...known, { value: chosen, label: chosen }] : known
}
