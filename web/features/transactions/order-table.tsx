import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import type { AdminOrder, OrderTotals } from '#contract/orders-admin.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useColumns } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { ListTools } from '#web/ui/table/list-tools.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import type { RowKind } from '#web/ui/table/table-row.tsx'
import { NothingFound, TableState } from '#web/ui/table/table-state.tsx'
import { TotalsStrip } from '#web/ui/table/totals-strip.tsx'
import { OrderChips } from './order-chips.tsx'
import { orderColumns } from './order-columns.tsx'
import { isNarrowed, noFilter, orderCsvAddress, orderFilter, orderParams } from './order-filter.ts'
import { OrderPanel } from './order-panel.tsx'
import { orderTableQuery, orderTotalsQuery } from './queries.ts'
import { sums } from './sums.ts'

/** The orders of all users: pending, paid, refunded. */
export function OrderTable() {
  const { state, change } = useUrlState(orderParams)
  const { page, size, sort: by } = state
  const filter = orderFilter(state)
  const orders = useQuery(orderTableQuery({ page, size, sort: by, ...filter }))
  const totals = useQuery(orderTotalsQuery(filter))
  const chosen = useColumns('orders', orderColumns)
  const sort = { by, onChange: (next: string) => change({ sort: next }) }
  const kind: RowKind<AdminOrder> = {
    key: ({ id }) => id,
    name: ({ title, email }) => `${title}, ${email ?? 'аккаунт удалён'}`,
    onOpen: ({ id }) => change({ order: id, page }),
    isDim: ({ status }) => status === 'expired',
  }
  const panel = state.order && <OrderPanel id={state.order} onClose={() => change({ order: '', page })} />

  if (orders.data?.total === 0 && !isNarrowed(state))
    return (
      <>
        <NoOrders />
        {panel}
      </>
    )
  return (
    <div className="flex flex-col gap-4">
      <ListTools
        search={{ label: 'Почта, номер заказа', value: state.query, onChange: (query) => change({ query }) }}
        columns={orderColumns}
        chosen={chosen}
        sort={sort}
        csv={{ href: orderCsvAddress(state) }}
      >
        <OrderChips state={state} change={change} />
      </ListTools>
      <TotalsStrip
        label="Итоги по отбору"
        figures={totals.data && figures(totals.data)}
        isBusy={totals.isPlaceholderData}
      />
      <TableState
        query={orders}
        isEmpty={orders.data?.items.length === 0}
        empty={<NothingFound onReset={() => change(noFilter)} />}
      >
        <DataTable
          label="Заказы"
          columns={chosen.shown}
          rows={orders.data?.items}
          kind={kind}
          sort={sort}
          isBusy={orders.isPlaceholderData}
        />
        {orders.data && <Pager {...state} {...orders.data} onChange={change} />}
      </TableState>
      {panel}
    </div>
  )
}

function figures({ orders, paid, money }: OrderTotals) {
  return [
    { name: 'Заказов', value: formatNumber(orders) },
    { name: 'Оплачено', value: formatNumber(paid) },
    ...sums(
      'Получено',
      money.map(({ currency, paid: amount }) => ({ currency, amount })),
    ),
    ...sums(
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
