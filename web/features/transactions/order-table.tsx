import { useQuery } from '@tanstack/react-query'
import type { AdminOrder, OrderTotals } from '#contract/orders-admin.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { CreditCard } from '#web/ui/icons.ts'
import { ServerList } from '#web/ui/table/server-list.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { TotalsStrip } from '#web/ui/table/totals-strip.tsx'
import { moneyFigures } from './cells.tsx'
import { OrderChips } from './order-chips.tsx'
import { orderColumns } from './order-columns.tsx'
import { hasFilters, noFilter, orderCsvAddress, orderFilter, orderParams } from './order-filter.ts'
import { OrderPanel } from './order-panel.tsx'
import { orderTableQuery, orderTotalsQuery } from './queries.ts'

export function OrderTable() {
  const { state, change } = useUrlState(orderParams)
  const { page, size, sort } = state
  const filter = orderFilter(state)
  const orders = useQuery(orderTableQuery({ page, size, sort, ...filter }))
  const totals = useQuery(orderTotalsQuery(filter))
  const rowSpec: RowSpec<AdminOrder> = {
    key: ({ id }) => id,
    name: ({ title, email }) => `${title}, ${email ?? 'аккаунт удалён'}`,
    onOpen: ({ id }) => change({ order: id, page }),
    isDim: ({ status }) => status === 'expired',
  }
  const panel = state.order && <OrderPanel id={state.order} onClose={() => change({ order: '', page })} />

  if (orders.data?.total === 0 && !hasFilters(state))
    return (
      <>
        <NoOrders />
        {panel}
      </>
    )
  return (
    <>
      <ServerList
        id="orders"
        label="Заказы"
        searchLabel="Почта, номер заказа"
        query={orders}
        columns={orderColumns}
        rowSpec={rowSpec}
        url={{ state, change }}
        csv={orderCsvAddress(state)}
        chips={<OrderChips state={state} change={change} />}
        onReset={() => change(noFilter)}
      >
        <TotalsStrip
          label="Итоги по отбору"
          figures={totals.data && figures(totals.data)}
          isBusy={totals.isPlaceholderData}
        />
      </ServerList>
      {panel}
    </>
  )
}

function figures({ orders, paid, money }: OrderTotals) {
  return [
    { name: 'Заказов', value: formatNumber(orders) },
    { name: 'Оплачено', value: formatNumber(paid) },
    ...moneyFigures(
      'Получено',
      money.map(({ currency, paid: amount }) => ({ currency, amount })),
    ),
    ...moneyFigures(
      'Возвращено',
      money.map(({ currency, refunded: amount }) => ({ currency, amount })),
    ),
  ]
}

function NoOrders() {
  return (
    <EmptyState
      icon={<CreditCard />}
      title="Заказов пока нет"
      text="Заказ появляется, когда кто-нибудь открывает страницу оплаты тарифа или пакета."
    />
  )
}
