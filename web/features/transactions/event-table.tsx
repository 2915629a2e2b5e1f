import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { PAYMENT_EVENTS_CSV, type PaymentEvent, paymentEventSorts } from '#contract/payment-events.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { choiceParam, tableParams, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { type Column, useColumns } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { ListTools } from '#web/ui/table/list-tools.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import type { RowKind } from '#web/ui/table/table-row.tsx'
import { NothingFound, TableState } from '#web/ui/table/table-state.tsx'
import { When } from './cells.tsx'
import { eventName, eventStates, whyOdd } from './event-labels.ts'
import { EventPanel } from './event-panel.tsx'
import { eventTableQuery } from './queries.ts'

const params = {
  ...tableParams(paymentEventSorts, '-receivedAt'),
  state: choiceParam(['resolved', 'all']),
  /** The open event. */
  event: textParam(),
}
const states = [
  { value: 'resolved', label: 'Разобранные' },
  { value: 'all', label: 'Все события' },
] as const

/** Payment events that could not be applied; applied ones are shown only with «Все события». */
export function EventTable() {
  const { state: url, change } = useUrlState(params)
  const { page, size, sort: by, query } = url
  const filter = { state: url.state ?? ('open' as const), sort: by, ...(query && { query }) }
  const events = useQuery(eventTableQuery({ page, size, ...filter }))
  const chosen = useColumns('payment-events', eventColumns)
  const sort = { by, onChange: (next: string) => change({ sort: next }) }
  const kind: RowKind<PaymentEvent> = {
    key: ({ id }) => id,
    name: eventName,
    onOpen: ({ id }) => change({ event: id, page }),
    isDim: ({ state }) => state === 'resolved',
  }
  return (
    <div className="flex flex-col gap-4">
      <ListTools
        search={{ label: 'Номер, заказ, почта', value: query, onChange: (next) => change({ query: next }) }}
        columns={eventColumns}
        chosen={chosen}
        sort={sort}
        csv={{ href: csvAddress(filter) }}
      >
        <FilterChip
          label="Какие события"
          any="Неразобранные"
          value={url.state}
          options={states}
          onChange={(state) => change({ state })}
        />
      </ListTools>
      <TableState
        query={events}
        isEmpty={events.data?.items.length === 0}
        empty={
          query || url.state ? (
            <NothingFound onReset={() => change({ query: '', state: null })} />
          ) : (
            <AllFine onAll={() => change({ state: 'all' })} />
          )
        }
      >
        <DataTable
          label="События оплаты"
          columns={chosen.shown}
          rows={events.data?.items}
          kind={kind}
          sort={sort}
          isBusy={events.isPlaceholderData}
        />
        {events.data && <Pager {...url} total={events.data.total} onChange={change} />}
      </TableState>
      {url.event && <EventPanel id={url.event} onClose={() => change({ event: '', page })} />}
    </div>
  )
}

const csvAddress = (filter: Record<string, string>) => `${PAYMENT_EVENTS_CSV}?${new URLSearchParams(filter)}`

function AllFine({ onAll }: { onAll: () => void }) {
  return (
    <EmptyState
      icon={<CircleCheck />}
      title="Разбирать нечего"
      text="Всё, что сообщала платёжная система, учтено. Если что-то не сойдётся, событие появится здесь."
      action={<Button onClick={onAll}>Показать все события</Button>}
    />
  )
}

const NARROW = 'wrap-anywhere'

/** Without `text`: the server writes the CSV. */
const eventColumns: Column<PaymentEvent>[] = [
  { id: 'kind', title: 'Событие', cell: eventName },
  {
    id: 'state',
    title: 'Состояние',
    cell: ({ state }) => <Badge tone={eventStates[state].tone}>{eventStates[state].label}</Badge>,
  },
  { id: 'why', title: 'Почему', isWide: true, cell: why },
  {
    id: 'receivedAt',
    title: 'Пришло',
    isSortable: true,
    cell: ({ receivedAt }) => <When at={receivedAt} />,
  },
  {
    id: 'deliveries',
    title: 'Раз',
    isSortable: true,
    isFigure: true,
    cell: ({ deliveries }) => formatNumber(deliveries),
  },
  { id: 'amount', title: 'Сумма', isFigure: true, cell: sum },
  {
    id: 'payer',
    title: 'Плательщик',
    cell: ({ payer }) => payer && <span className={`${NARROW} sm:block sm:min-w-40`}>{payer}</span>,
  },
  {
    id: 'uid',
    title: 'Номер в bePaid',
    isExtra: true,
    cell: ({ uid }) => uid && <span className={NARROW}>{uid}</span>,
  },
  {
    id: 'trackingId',
    title: 'Метка заказа',
    isExtra: true,
    cell: ({ trackingId }) => trackingId && <span className={NARROW}>{trackingId}</span>,
  },
]

function why(event: PaymentEvent): string | null {
  return event.resolution?.note ?? whyOdd(event)
}

function sum({ amount, currency }: PaymentEvent): string | null {
  return amount !== null && currency !== null ? formatMoney({ amount, currency }) : null
}
