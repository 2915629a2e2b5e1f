import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { PAYMENT_EVENTS_CSV, type PaymentEvent, paymentEventSorts } from '#contract/payment-events.ts'
import { choiceParam, tableParams, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { ListTools } from '#web/ui/table/list-tools.tsx'
import { NothingFound } from '#web/ui/table/nothing-found.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import type { RowKind } from '#web/ui/table/row-kind.ts'
import { TableState } from '#web/ui/table/table-state.tsx'
import { useColumns } from '#web/ui/table/use-columns.ts'
import { eventColumns } from './event-columns.tsx'
import { eventName } from './event-labels.ts'
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
