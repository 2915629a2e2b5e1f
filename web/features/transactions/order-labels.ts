import type { AdminOrder, OrderCard } from '#contract/orders-admin.ts'
import { formatMoney, formatSymbols } from '#web/lib/format.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'

export const kindLabels: Record<AdminOrder['kind'], string> = {
  plan: 'Подписка',
  renewal: 'Продление',
  bundle: 'Пакет',
}

export const statusLabel: Record<AdminOrder['status'], { label: string; tone: BadgeTone }> = {
  pending: { label: 'Ждёт оплаты', tone: 'accent' },
  paid: { label: 'Оплачен', tone: 'success' },
  failed: { label: 'Не прошёл', tone: 'danger' },
  expired: { label: 'Не оплачен вовремя', tone: 'neutral' },
  refunded: { label: 'Деньги возвращены', tone: 'warning' },
  charged_back: { label: 'Деньги отозвал банк', tone: 'danger' },
}

export const leftToRefund = ({ amount, refundedAmount }: AdminOrder) => amount - refundedAmount

export function refundConsequences({ order, grant, subscription }: OrderCard, amount: number): string[] {
  if (amount < leftToRefund(order)) return ['Это часть суммы, поэтому символы останутся у пользователя.']
  return [
    grant ? takenLabel(grant) : 'Символов по этому заказу нет, забирать нечего.',
    subscription?.endsWithRefund && 'Подписка закончится сразу и больше не продлится.',
  ].filter((line) => typeof line === 'string')
}

function takenLabel({ symbols, takeable }: NonNullable<OrderCard['grant']>): string {
  if (takeable === 0) return 'Все символы этого заказа уже потрачены: забирать нечего, деньги вернутся полностью.'
  const spent = symbols - takeable
  const rest = spent > 0 ? ` Остальные ${formatSymbols(spent)} уже потрачены или заняты.` : ''
  return `Заберём ${formatSymbols(takeable)} из ${formatSymbols(symbols)}.${rest}`
}

/** «9,90 BYN», or with what went back: «9,90 BYN, возвращено 1 BYN». */
export function sumLabel(order: AdminOrder): string {
  const { currency, refundedAmount } = order
  const back = refundedAmount > 0 ? `, возвращено ${formatMoney({ amount: refundedAmount, currency })}` : ''
  return formatMoney(order) + back
}

/** The result of «Проверить оплату» in one sentence. */
export function checkedLabel(before: AdminOrder['status'], after: AdminOrder['status']): string {
  if (before !== after) return `Платёжная система ответила: ${statusLabel[after].label.toLowerCase()}. Заказ исправлен.`
  return after === 'pending' ? 'Платёжная система ответила: денег пока нет.' : 'Всё сходится, исправлять нечего.'
}
