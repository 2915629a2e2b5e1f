import { useQuery } from '@tanstack/react-query'
import { TransactionKind } from '#contract/transactions.ts'
import { FilterChip, SetChip } from '#web/ui/table/filter-chip.tsx'
import { RangeChip } from '#web/ui/table/range-chip.tsx'
import type { OperationLabels } from './cells.tsx'
import type { LedgerState } from './ledger-filter.ts'
import { ledgerQuery } from './queries.ts'

interface LedgerChipsProps {
  state: LedgerState
  change: (change: Partial<LedgerState>) => void
  words: OperationLabels
  models: { id: string; name: string }[]
}

const directions = [
  { value: 'in', label: 'Начисления' },
  { value: 'out', label: 'Списания' },
] as const

export function LedgerChips({ state, change, words, models }: LedgerChipsProps) {
  return (
    <>
      {state.user && <PersonChip id={state.user} onClear={() => change({ user: '' })} />}
      <FilterChip
        label="Вид"
        any="Все операции"
        value={state.kind}
        options={TransactionKind.options.map((value) => ({ value, label: words.name(value) }))}
        onChange={(kind) => change({ kind })}
      />
      <FilterChip
        label="Направление"
        any="Начисления и списания"
        value={state.direction}
        options={directions}
        onChange={(direction) => change({ direction })}
      />
      <FilterChip
        label="Модель"
        any="Все модели"
        value={state.model || null}
        options={modelOptions(models, state.model)}
        onChange={(model) => change({ model: model ?? '' })}
      />
      <RangeChip label="Период" type="date" range={{ from: state.from, to: state.to }} onChange={change} />
      <RangeChip
        label="Символов"
        type="number"
        range={{ from: state.least, to: state.most }}
        onChange={({ from, to }) => change({ least: from, most: to })}
      />
    </>
  )
}

/** A deleted model still has charges, so the id from the URL stays in the list. */
function modelOptions(models: LedgerChipsProps['models'], chosen: string) {
  const known = models.map(({ id, name }) => ({ value: id, label: name }))
  return chosen && !models.some(({ id }) => id === chosen) ? [...known, { value: chosen, label: chosen }] : known
}

function PersonChip({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useQuery(ledgerQuery({ userId: id, page: 1, size: 1 }))
  return <SetChip label="Пользователь" value={data?.items[0]?.email ?? id} onClear={onClear} />
}
