import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Order, paymentsApi, type Receipt } from '#contract/payments.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { OrderList } from './order-list.tsx'

const receipt: Receipt = {
  ...{ id: 'r1', kind: 'payment', state: 'registered', amount: 99_000, currency: 'RUB', checkText: 't=1&fn=2' },
  ...{ fiscalStorage: '9288000100115785', fiscalDocument: '41', fiscalAttribute: '307' },
  registeredAt: '2026-11-18T10:00:00.000Z',
}
const order: Order = {
  ...{ id: 'o1', kind: 'bundle', status: 'paid', title: 'Пакет', symbols: 500, amount: 99_000, currency: 'RUB' },
  ...{ receiptUrl: null, createdAt: '2026-11-18T09:59:00.000Z', paidAt: '2026-11-18T10:00:00.000Z' },
  pendingRefund: null,
  review: null,
  receipts: [receipt, { ...receipt, id: 'r2', kind: 'refund', state: 'pending', checkText: null }],
}

test('a payment names its receipts, with a code to check them (S10.940, S10.949)', async () => {
  new FakeServer().on(paymentsApi.orders, [order])
  const { user } = render(<OrderList />)
  expect(await screen.findByText('ФН 9288000100115785, ФД 41, ФПД 307')).toBeTruthy()
  expect(screen.getByText(/^Чек на 990/)).toBeTruthy()
  expect(screen.getByText(/^Чек возврата на 990.*готовится$/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'QR-код' }))
  expect(await screen.findByRole('img', { name: 'QR-код чека' })).toBeTruthy()
})

test('a payment that was left can be opened again (S10.943)', async () => {
  new FakeServer().on(paymentsApi.orders, [{ ...order, status: 'pending', paidAt: null, receipts: [] }])
  render(<OrderList />)
  const link = await screen.findByRole('link', { name: 'Открыть платёж: Пакет' })
  expect(link.getAttribute('href')).toBe('/profile?payment=o1')
  expect(screen.getByText(/ждёт оплаты/)).toBeTruthy()
})

test('a refund under way is named with its sum (S10.948)', async () => {
  const pendingRefund = { amount: 40_000, requestedAt: '2026-11-18T11:00:00.000Z' }
  new FakeServer().on(paymentsApi.orders, [{ ...order, pendingRefund }])
  render(<OrderList />)
  expect(await screen.findByText(/возврат 400.* идёт/)).toBeTruthy()
})
