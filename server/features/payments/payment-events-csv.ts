import type { PaymentEvent, PaymentEventKind, PaymentEventQuery, PaymentEventState } from '#contract/payment-events.ts'
import { type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { dayOf, inShift } from '../billing/days.ts'
import { type EventCtx, listEvents } from './payment-events.ts'

const kindNames: Record<PaymentEventKind, string> = {
  payment: 'Платёж',
  refund: 'Возврат',
  chargeback: 'Отзыв денег банком',
  subscription: 'Подписка',
  page: 'Страница оплаты закрылась',
  unknown: 'Непонятное сообщение',
}
const stateNames: Record<PaymentEventState, string> = {
  taken: 'учтено',
  waiting: 'не обработано',
  orphan: 'ни к чему не относится',
  refused: 'не принято',
  resolved: 'разобрано',
}

const columns: CsvColumns<PaymentEvent> = {
  'Пришло (UTC+3)': ({ receivedAt }) => inShift(new Date(receivedAt)).replace('T', ' '),
  Событие: ({ kind }) => kindNames[kind],
  'В словах bePaid': ({ status }) => status,
  Состояние: ({ state }) => stateNames[state],
  'Почему не принято': ({ problem }) => problem,
  'Сколько раз пришло': ({ deliveries }) => deliveries,
  Сумма: ({ amount, currency }) => (amount === null || currency === null ? null : inMajorUnits(amount, currency)),
  Валюта: ({ currency }) => currency,
  Плательщик: ({ payer }) => payer,
  'Номер в bePaid': ({ uid }) => uid,
  'Метка заказа': ({ trackingId }) => trackingId,
  'Чем закончилось': ({ resolution }) => resolution?.note ?? null,
}

const PAGE = 200

export function eventsCsv(ctx: EventCtx, query: PaymentEventQuery): Promise<Response> {
  return csvResponse(`payment-events-${dayOf(new Date())}`, columns, readPages(ctx, query))
}

async function* readPages(ctx: EventCtx, query: PaymentEventQuery): AsyncGenerator<PaymentEvent[], void> {
  for (let page = 1; ; page++) {
    const { items, total } = await listEvents(ctx, { ...query, page, size: PAGE })
    yield items
    if (items.length < PAGE || page * PAGE >= total) return
  }
}
