import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type AwaitedOrder, paymentsApi } from '#contract/payments.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { PaymentReturn } from './payment-return.tsx'

beforeEach(() => sessionStorage.clear())

const order: AwaitedOrder = {
  id: 'o-1',
  kind: 'bundle',
  status: 'pending',
  title: 'Пакет',
  symbols: 2_000_000,
  amount: 990,
  currency: 'BYN',
  receiptUrl: null,
  receipts: [],
  qr: null,
  createdAt: '2026-11-15T12:00:00Z',
  paidAt: null,
  progress: 'untouched',
  declineReason: null,
  payUrl: null,
}

function comeBack(change: Partial<AwaitedOrder>, status = 'canceled') {
  new FakeServer().on(paymentsApi.order, { ...order, ...change })
  const onClose = vi.fn()
  const onRetry = vi.fn()
  const drawn = render(<PaymentReturn orderId="o-1" onClose={onClose} onRetry={onRetry} />, {
    path: `/profile?payment=o-1&status=${status}`,
  })
  return { ...drawn, onClose, onRetry }
}

const button = (name: string) => screen.getByRole('button', { name })

test('a cancelled payment took no money and can be repeated (S10.189)', async () => {
  const { user, onClose, onRetry } = comeBack({})
  expect(await screen.findByText('Оплата отменена, деньги не списаны')).toBeTruthy()
  await user.click(button('Попробовать ещё раз'))
  expect(onRetry).toHaveBeenCalledWith('bundle')
  await user.click(button('Не сейчас'))
  expect(onClose).toHaveBeenCalled()
})

test.each([null, 'processing'] as const)(
  'an address with «cancelled» is ignored while the payment is %s',
  async (progress) => {
    const { user, onClose } = comeBack({ progress })
    expect(await screen.findByText('Проверяем платёж')).toBeTruthy()
    expect(screen.queryByText(/не списаны/)).toBeNull()
    await user.click(button('Закрыть'))
    expect(onClose).toHaveBeenCalled()
  },
)

test('a paid order has a link to its receipt (S10.711)', async () => {
  comeBack({ status: 'paid', paidAt: '2026-11-15T12:01:00Z' })
  const link = await screen.findByRole('link', { name: 'Чек и все платежи' })
  expect(link.getAttribute('href')).toBe('/profile/operations#receipts')
})

test('a forged address never shows a payment (S10.189)', async () => {
  comeBack({}, 'successful')
  expect(await screen.findByText('Проверяем платёж')).toBeTruthy()
  expect(screen.queryByText(/Зачислено/)).toBeNull()
})

test('a declined payment names the reason and what to do', async () => {
  comeBack({ status: 'failed', declineReason: 'funds' }, 'failed')
  expect(await screen.findByText('Платёж не прошёл, деньги не списаны')).toBeTruthy()
  expect(screen.getByText(/не хватило денег/)).toBeTruthy()
})

test('a paid order shows its symbols and leads back to the chat (S10.189)', async () => {
  sessionStorage.setItem('chat-to-return-to', '/threads/t-1')
  const { user, address } = comeBack({ status: 'paid', paidAt: '2026-11-15T12:01:00Z' }, 'successful')
  expect(await screen.findByText(/^Зачислено 2\s000\s000\sсимволов$/)).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Вернуться к чату' }))
  expect(address()).toBe('/threads/t-1')
})

test('no chat is offered when this tab had no chat', async () => {
  comeBack({ status: 'paid', paidAt: '2026-11-15T12:01:00Z' }, 'successful')
  expect(await screen.findByText(/^Зачислено/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Вернуться к чату' })).toBeNull()
})
