import type { PaymentEvent } from '#contract/payment-events.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/column.ts'
import { When } from './cells.tsx'
import { eventName, eventStates, whyOdd } from './event-labels.ts'

const NARROW = 'wrap-anywhere'

/** Without `text`: the server writes the CSV. */
export const eventColumns: Column<PaymentEvent>[] = [
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
