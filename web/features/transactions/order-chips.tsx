import { useQuery } from '@tanstack/react-query'
import { OrderStatus } from '#contract/payments.ts'
import { allBundlesQuery, allPlansQuery } from '#web/features/plans/queries.ts'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { FilterChips } from '#web/ui/table/filter-chips.tsx'
import type { OrderState } from './order-filter.ts'
import { kindLabels, statusLabel } from './order-labels.ts'
import { orderTableQuery } from './queries.ts'

interface OrderChipsProps {
  state: OrderState
  change: (change: ChangeOf<OrderState>) => void
}

const statuses = OrderStatus.options.map((value) => ({ value, label: statusLabel[value].label }))

export function OrderChips({ state, change }: OrderChipsProps) {
  const { user } = state
  const person = useQuery({ ...orderTableQuery({ userId: user, page: 1, size: 1 }), enabled: user !== '' })
  const { data: plans = [] } = useQuery(allPlansQuery)
  const { data: bundles = [] } = useQuery(allBundlesQuery)
  const products = [
    ...plans.map(({ id, name }) => ({ value: `plan:${id}`, label: `Тариф «${name}»` })),
    ...bundles.map(({ id, name }) => ({ value: `bundle:${id}`, label: `Пакет «${name}»` })),
  ]
  return (
    <FilterChips
      state={state}
      change={change}
      chips={[
        { fixed: 'user', label: 'Пользователь', value: person.data?.items[0]?.email ?? user },
        { filter: 'status', label: 'Состояние', any: 'Любое состояние', options: statuses },
        { filter: 'kind', label: 'Вид', any: 'Подписки и пакеты', options: kindLabels },
        { filter: 'product', label: 'Покупка', any: 'Любой тариф и пакет', options: products },
        { from: 'from', to: 'to', type: 'date', label: 'Период' },
        { from: 'least', to: 'most', type: 'number', label: 'Сумма' },
      ]}
    />
  )
}
