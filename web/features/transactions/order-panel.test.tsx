import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type OrderCard, ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentsApi, type Receipt } from '#contract/payments.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { OrderPanel } from './order-panel.tsx'

const rejected: Receipt = {
  ...{ id: 'r1', kind: 'payment', state: 'rejected', amount: 99_000, currency: 'RUB', checkText: null },
  ...{ fiscalStorage: null, fiscalDocument: null, fiscalAttribute: null, registeredAt: null },
}
const card: OrderCard = {
  order: {
    ...{ id: 'o1', kind: 'bundle', status: 'paid', title: 'Пакет', symbols: 500, amount: 99_000, currency: 'RUB' },
    ...{ receiptUrl: null, createdAt: '2026-11-18T09:59:00.000Z', paidAt: '2026-11-18T10:00:00.000Z' },
    ...{ userId: 'anna', email: 'anna@mail.ru', refundedAmount: 0, gateway: 'yookassa', gatewayUid: 'p1' },
    ...{ discountPercent: null, receipts: [rejected], pendingRefund: null, review: null },
  },
  ...{ grant: null, subscription: null, reversals: [], events: [] },
}

test('an owner sends a rejected receipt again from the order (S10.941)', async () => {
  const server = new FakeServer().on(ordersAdminApi.card, card).on(paymentsApi.repeatReceipt, rejected)
  const { user } = render(<OrderPanel id="o1" onClose={() => {}} />)
  expect(await screen.findByText(/Чек на 990.*касса не приняла/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Отправить снова' }))
  expect(server.calls(paymentsApi.repeatReceipt)).toMatchObject([{ params: { id: 'r1' } }])
})

test('an order shows a refund under way and offers no second one (S10.948)', async () => {
  const pendingRefund = { amount: 99_000, requestedAt: '2026-11-18T11:00:00.000Z' }
  new FakeServer().on(ordersAdminApi.card, { ...card, order: { ...card.order, pendingRefund } })
  render(<OrderPanel id="o1" onClose={() => {}} />)
  expect(await screen.findByText('Возврат идёт')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Вернуть деньги' })).toBeNull()
})
