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
  pendingRefund: null,
  review: null,
  qr: null,
  createdAt: '2026-11-15T12:00:00Z',
  paidAt: null,
  progress: 'untouched',
  declineReason: null,
  payUrl: null,
}

function comeBack(change: Partial<AwaitedOrder>, status = 'canceled') {
  const server = new FakeServer()
    .on(paymentsApi.order, { ...order, ...change })
    .on(paymentsApi.options, { isOn: true, methods: ['bank_card', 'sbp'], once: [], isOnce: false, isPretence: false })
  const onClose = vi.fn()
  const onRetry = vi.fn()
  const drawn = render(<PaymentReturn orderId="o-1" onClose={onClose} onRetry={onRetry} />, {
    path: `/profile?payment=o-1&status=${status}`,
  })
  return { ...drawn, server, onClose, onRetry }
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
  expect(screen.getByText(/Не хватило денег/)).toBeTruthy()
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

const qr = { text: 'https://qr.example/pay', expiresAt: new Date(Date.now() + 59 * 60_000).toISOString() }
const byPhone = (agent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)

test('СБП shows its code and time until the payment is seen (S10.942)', async () => {
  const { user, server, onRetry } = comeBack({ qr, title: 'Пакет' })
  const picture = await screen.findByRole('img', { name: /QR-код/ })
  expect(picture.getAttribute('src')).toMatch(/^data:image\/svg/)
  expect(screen.getByRole('timer').textContent).toMatch(/^Код действует ещё 5[89]:\d\d$/)
  await user.click(button('Я оплатил, проверить'))
  expect(await screen.findByText(/Платёж пока не виден/)).toBeTruthy()
  await user.click(button('Заплатить иначе'))
  expect(onRetry).toHaveBeenCalledWith('bundle')
  server.on(paymentsApi.order, { ...order, status: 'paid', paidAt: '2026-11-15T12:01:00Z' })
  await user.click(button('Я оплатил, проверить'))
  expect(await screen.findByText(/^Зачислено/)).toBeTruthy()
  expect(screen.queryByRole('timer')).toBeNull()
})

test('a phone opens the bank by the address of the code (S10.942)', async () => {
  const agent = byPhone('Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile')
  comeBack({ qr })
  const link = await screen.findByRole('link', { name: 'Открыть приложение банка' })
  expect(link.getAttribute('href')).toBe('https://qr.example/pay')
  agent.mockRestore()
})

test('another sum is named, with what to do now (S10.1175)', async () => {
  const review = { received: { amount: 10_000, currency: 'RUB' }, isOver: false }
  const { server } = comeBack({ currency: 'RUB', amount: 35_050, review }, '')
  expect(await screen.findByText(/Пришло 100.* вместо 350,50/)).toBeTruthy()
  expect(screen.getByText(/Второй раз не платите/)).toBeTruthy()
  expect(screen.queryByText(/несколько секунд/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Попробовать ещё раз' })).toBeNull()
  expect(server.calls(paymentsApi.order)).toHaveLength(1)
})
