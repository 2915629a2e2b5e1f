import { useQuery } from '@tanstack/react-query'
import { Order, OrderStatus } from '#contract/payments.ts'
import { allBundlesQuery } from '#web/features/bundles/queries.ts'
import { allPlansQuery } from '#web/features/plans/queries.ts'
import { FilterChip, SetChip } from '#web/ui/table/filter-chip.tsx'
import { RangeChip } from '#web/ui/table/range-chip.tsx'
import type { OrderState } from './order-filter.ts'
import { kindWords, statusLabel } from './order-labels.ts'
import { orderTableQuery } from './queries.ts'

interface OrderChipsProps {
  state: OrderState
  change: (change: Partial<OrderState>) => void
}

const statuses = OrderStatus.options.map((value) => ({ value, label: statusLabel[value].label }))
const kinds = Order.shape.kind.options.map((value) => ({ value, label: kindWords[value] }))

export function OrderChips({ state, change }: OrderChipsProps) {
  return (
    <>
      {state.user && <PersonChip id={state.user} onClear={() => change({ user: '' })} />}
      <FilterChip
        label="Состояние"
        any="Любое состояние"
        value={state.status}
        options={statuses}
        onChange={(status) => change({ status })}
      />
      <FilterChip
        label="Вид"
        any="Подписки и пакеты"
        value={state.kind}
        options={kinds}
        onChange={(kind) => change({ kind })}
      />
      <ProductChip value={state.product} onChange={(product) => change({ product })} />
      <RangeChip label="Период" type="date" range={{ from: state.from, to: state.to }} onChange={change} />
      <RangeChip
        label="Сумма"
        type="number"
        range={{ from: state.least, to: state.most }}
        onChange={({ from, to }) => change({ least: from, most: to })}
      />
    </>
  )
}

function ProductChip({ value, onChange }: { value: string; onChange: (product: string) => void }) {
  const { data: plans = [] } = useQuery(allPlansQuery)
  const { data: bundles = [] } = useQuery(allBundlesQuery)
  const options = [
    ...plans.map(({ id, name }) => ({ value: `plan:${id}`, label: `Тариф «${name}»` })),
    ...bundles.map(({ id, name }) => ({ value: `bundle:${id}`, label: `Пакет «${name}»` })),
  ]
  return (
    <FilterChip
      label="Что куплено"
      any="Любой тариф и пакет"
      value={value || null}
      options={options}
      onChange={(product) => onChange(product ?? '')}
    />
  )
}

function PersonChip({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useQuery(orderTableQuery({ userId: id, page: 1, size: 1 }))
  return <SetChip label="Пользователь" value={data?.items[0]?.email ?? id} onClear={onClear} />
}
