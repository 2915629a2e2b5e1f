import { useQuery } from '@tanstack/react-query'
import { addressOf } from '#contract/endpoint.ts'
import { type PaymentEvent, paymentEventSorts, paymentEventsApi } from '#contract/payment-events.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { choiceParam, tableParams, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { CircleCheck } from '#web/ui/icons.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { ServerList } from '#web/ui/table/server-list.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { DateCell } from './cells.tsx'
import { eventName, eventStates, problemLabel } from './event-labels.ts'
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
  const { page, size, sort, query } = url
  const filter = { state: url.state ?? ('open' as const), sort, ...(query && { query }) }
  const events = useQuery(eventTableQuery({ page, size, ...filter }))
  const rowSpec: RowSpec<PaymentEvent> = {
    key: ({ id }) => id,
    name: eventName,
    onOpen: ({ id }) => change({ event: id, page }),
    isDim: ({ state }) => state === 'resolved',
  }
  return (
    <>
      <ServerList
        id="payment-events"
        label="События оплаты"
        searchLabel="Номер, заказ, почта"
        query={events}
        columns={eventColumns}
        rowSpec={rowSpec}
        url={{ state: url, change }}
        csv={addressOf(paymentEventsApi.csv, { query: filter })}
        chips={
          <FilterChip
            label="Какие события"
            any="Неразобранные"
            value={url.state}
            options={states}
            onChange={(state) => change({ state })}
          />
        }
        onReset={() => change({ query: '', state: null })}
        {...(!query && !url.state && { empty: <NoOpenEvents onAll={() => change({ state: 'all' })} /> })}
      />
      {url.event && <EventPanel id={url.event} onClose={() => change({ event: '', page })} />}
    </>
  )
}

function NoOpenEvents({ onAll }: { onAll: () => void }) {
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
  { id: 'why', title: 'Причина', isWide: true, cell: why },
  {
    id: 'receivedAt',
    title: 'Пришло',
    isSortable: true,
    cell: ({ receivedAt }) => <DateCell at={receivedAt} />,
  },
  {
    id: 'deliveries',
    title: 'Раз',
    isSortable: true,
    isNumeric: true,
    cell: ({ deliveries }) => formatNumber(deliveries),
  },
  { id: 'amount', title: 'Сумма', isNumeric: true, cell: sum },
  {
    id: 'payer',
    title: 'Плательщик',
    cell: ({ payer }) => payer && <span className={`${NARROW} sm:block sm:min-w-40`}>{payer}</span>,
  },
  {
    id: 'uid',
    title: 'Номер в платёжной системе',
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
  return event.resolution?.note ?? problemLabel(event)
}

function sum({ amount, currency }: PaymentEvent): string | null {
  return amount !== null && currency !== null ? formatMoney({ amount, currency }) : null
}
