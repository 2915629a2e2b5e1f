import type { OrderCard } from '#contract/orders-admin.ts'
import { formatDateTime, formatMoney } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import { EventBody } from './event-body.tsx'
import { eventName, eventStates } from './event-labels.ts'

/** One payment event in the history of an order. */
export function EventStory({ event }: { event: OrderCard['events'][number] }) {
  const { amount, currency, deliveries, problem } = event
  const { label, tone } = eventStates[event.state]
  return (
    <li className="flex flex-col gap-1.5 border-b px-4 py-3 last:border-0">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{eventName(event)}</span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="figures text-sm text-muted">
        {formatDateTime(event.receivedAt)}
        {amount !== null && currency !== null && ` · ${formatMoney({ amount, currency })}`}
        {deliveries > 1 && ` · пришло ${deliveries} раз`}
      </span>
      {problem && <span className="text-sm text-danger">{problem}</span>}
      <EventBody body={event.body} />
    </li>
  )
}
