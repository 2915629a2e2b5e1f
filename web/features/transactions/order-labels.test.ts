import { expect, test } from 'vitest'
import type { OrderCard } from '#contract/orders-admin.ts'
import { checkedLabel, refundConsequences, sumLabel } from './order-labels.ts'

const order = { amount: 990, refundedAmount: 0, currency: 'BYN' } as OrderCard['order']
const card = (change: Partial<OrderCard> = {}): OrderCard => ({
  order,
  grant: { symbols: 1000, remaining: 700, takeable: 700, expiresAt: null },
  subscription: null,
  reversals: [],
  events: [],
  ...change,
})
const plain = (lines: string[]) => lines.map((line) => line.replace(/\s/g, ' '))

test('a refund lists its effects on the symbols and the subscription', () => {
  expect(plain(refundConsequences(card(), 990))).toEqual([
    'Заберём 700 символов из 1 000 символов. Остальные 300 символов уже потрачены или заняты.',
  ])
  expect(plain(refundConsequences(card(), 100))).toEqual(['Это часть суммы, поэтому символы останутся у пользователя.'])
  const spent = card({
    grant: { symbols: 1000, remaining: 0, takeable: 0, expiresAt: null },
    subscription: { endsWithRefund: true } as OrderCard['subscription'],
  })
  expect(refundConsequences(spent, 990)).toEqual([
    'Все символы этого заказа уже потрачены: забирать нечего, деньги вернутся полностью.',
    'Подписка закончится сразу и больше не продлится.',
  ])
  expect(refundConsequences(card({ grant: null }), 990)).toEqual(['Символов по этому заказу нет, забирать нечего.'])
})

test('the rest of a partly refunded order counts as the whole', () => {
  const partly = card({ order: { ...order, refundedAmount: 500 } })
  expect(plain(refundConsequences(partly, 490))[0]).toContain('Заберём 700')
  expect(refundConsequences(partly, 489)[0]).toContain('часть')
  expect(sumLabel(partly.order).replace(/\s/g, ' ')).toBe('9,90 BYN, возвращено 5 BYN')
})

test('the result of checking a payment is a sentence', () => {
  expect(checkedLabel('pending', 'paid')).toBe('Платёжная система ответила: оплачен. Заказ исправлен.')
  expect(checkedLabel('pending', 'pending')).toBe('Платёжная система ответила: денег пока нет.')
  expect(checkedLabel('paid', 'paid')).toBe('Всё сходится, исправлять нечего.')
})
