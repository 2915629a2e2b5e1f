import type { PaymentEvent, PaymentEventKind, PaymentEventState } from '#contract/payment-events.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'

const kinds: Record<PaymentEventKind, string> = {
  payment: 'Платёж',
  refund: 'Возврат',
  chargeback: 'Отзыв денег банком',
  subscription: 'Подписка',
  page: 'Страница оплаты закрылась',
  unknown: 'Непонятное сообщение',
}

const statuses: Record<string, string> = {
  successful: 'прошёл',
  failed: 'не прошёл',
  incomplete: 'не завершён',
  pending: 'в обработке',
  active: 'активна',
  trial: 'первый период',
  canceled: 'отменена',
  failed_attempt: 'не списалось',
  expired: 'закончилась',
  redirecting: 'ждёт оплаты',
  unsaved: 'не продлится: способ оплаты не сохранился',
  once: 'куплена на один период',
}

export const statusLabelOf = (status: string) => statuses[status] ?? status

/** «Платёж: прошёл», «Подписка: отменена». */
export function eventName({ kind, status }: Pick<PaymentEvent, 'kind' | 'status'>): string {
  if (kind === 'page' || kind === 'unknown' || !status) return kinds[kind]
  return `${kinds[kind]}: ${statusLabelOf(status)}`
}

export const eventStates: Record<PaymentEventState, { label: string; tone: BadgeTone }> = {
  taken: { label: 'Учтено', tone: 'success' },
  waiting: { label: 'Не обработано', tone: 'warning' },
  orphan: { label: 'Ни к чему не относится', tone: 'warning' },
  refused: { label: 'Не принято', tone: 'danger' },
  resolved: { label: 'Разобрано', tone: 'neutral' },
}

export function problemLabel({ state, problem }: Pick<PaymentEvent, 'state' | 'problem'>): string | null {
  if (problem) return problem
  if (state === 'orphan') return 'В сообщении нет заказа, который мы знаем: деньги могли прийти мимо сайта.'
  return state === 'waiting' ? 'Сообщение пришло, но обработка не закончилась.' : null
}

export function retriedLabel(state: PaymentEventState): string {
  if (state === 'taken') return 'Событие учтено'
  return state === 'refused' ? 'Снова не принято: причина та же' : 'Пока ни к чему не относится'
}
