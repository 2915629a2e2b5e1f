import type { PaymentEvent } from '#contract/payment-events.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/column.ts'
import { When } from './cells.tsx'
import { eventName, eventStates, whyOdd } from './event-words.ts'

const NARROW = 'wrap-anywhere'

/** The list is short and odd, so its spreadsheet is made here. */
export const eventColumns: Column<PaymentEvent>[] = [
  { id: 'kind', title: 'Событие', cell: eventName, text: eventName },
  {
    id: 'state',
    title: 'Состояние',
    cell: ({ state }) => <Badge tone={eventStates[state].tone}>{eventStates[state].label}</Badge>,
    text: ({ state }) => eventStates[state].label,
  },
  { id: 'why', title: 'Почему', isWide: true, cell: why, text: why },
  {
    id: 'receivedAt',
    title: 'Пришло',
    isSortable: true,
    cell: ({ receivedAt }) => <When at={receivedAt} />,
    text: ({ receivedAt }) => receivedAt,
  },
  {
    id: 'deliveries',
    title: 'Сколько раз',
    isSortable: true,
    isFigure: true,
    cell: ({ deliveries }) => formatNumber(deliveries),
    text: ({ deliveries }) => deliveries,
  },
  { id: 'amount', title: 'Сумма', isFigure: true, cell: sum, text: sum },
  {
    id: 'payer',
    title: 'Плательщик',
    cell: ({ payer }) => payer && <span className={NARROW}>{payer}</span>,
    text: ({ payer }) => payer,
  },
  {
    id: 'uid',
    title: 'Номер в bePaid',
    isExtra: true,
    cell: ({ uid }) => uid && <span className={NARROW}>{uid}</span>,
    text: ({ uid }) => uid,
  },
  {
    id: 'trackingId',
    title: 'Метка заказа',
    isExtra: true,
    cell: ({ trackingId }) => trackingId && <span className={NARROW}>{trackingId}</span>,
    text: ({ trackingId }) => trackingId,
  },
]

function why(event: PaymentEvent): string | null {
  return event.resolution?.note ?? whyOdd(event)
}

function sum({ amount, currency }: PaymentEvent): string | null {
  return amount !== null && currency !== null ? formatMoney({ amount, currency }) : null
}
