import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SingleSubscription } from '#contract/billing.ts'
import { type PlanChangeTerms, paymentsApi, type SavedMethod } from '#contract/payments.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { MethodSettings } from './method-settings.tsx'

const at = '2026-12-15T12:00:00.000Z'
const paid: SingleSubscription = {
  ...aProfile().SingleSubscription,
  recurrent: true,
  plan: { id: 'start', name: 'Старт' },
  periodEnd: at,
  nextCharge: { amount: 99_000, currency: 'RUB', at },
  card: { brand: 'visa', last4: '1006' },
}
const card: SavedMethod = { kind: 'bank_card', last4: '1006', brand: 'Mir', savedAt: '2026-11-15T12:00:00.000Z' }
const terms: PlanChangeTerms = {
  ...{ when: 'now', amount: 330, currency: 'BYN', symbols: 166_666, unused: { days: 20, amount: 660, symbols: 1 } },
  plan: { name: 'Старт', price: 990, currency: 'BYN', symbols: 500_000, intervalDays: 30 },
  next: { at, amount: 990 },
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const text = () => document.body.textContent?.replace(/[\u202f\u00a0]/g, ' ') ?? ''

interface Saved {
  method: SavedMethod | null
  canBindTo?: ('bank_card' | 'sbp')[]
  isConfirming?: boolean
}

function open({ method, canBindTo = [], isConfirming = false }: Saved, { balance = paid, path = '/profile' } = {}) {
  const server = new FakeServer()
    .on(paymentsApi.method, { method, canBindTo, isConfirming })
    .on(paymentsApi.options, { isOn: true, methods: [], once: [], isOnce: false, isPretence: false })
    .on(paymentsApi.changeTerms, terms)
  return { server, ...render(<MethodSettings balance={balance} />, { path }) }
}

test('the saved method and its next charge are named (S10.944)', async () => {
  open({ method: card, canBindTo: ['bank_card', 'sbp'] })
  expect(await screen.findByText(/Банковская карта Мир ••••\s1006/)).toBeTruthy()
  expect(text()).toContain('Следующее списание 15 декабря 2026 г., 990')
})

test('a method is changed without a payment, by СБП with a code (S10.944)', async () => {
  const { user, server } = open({ method: { ...card, kind: 'sbp', last4: null, brand: null }, canBindTo: ['sbp'] })
  await screen.findByText('СБП')
  await user.click(button('Сменить'))
  expect(screen.getByText(/Деньги не списываются/)).toBeTruthy()
  server.on(paymentsApi.bindMethod, rejection('unavailable', 'Платёжная система не отвечает.'))
  await user.click(button('СБП'))
  expect(await screen.findByText(/не отвечает/)).toBeTruthy()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  server.on(paymentsApi.bindMethod, { redirect_url: '/profile', qr: { text: 'https://qr.example/bind', expiresAt } })
  await user.click(button('СБП'))
  expect(await screen.findByRole('img', { name: /QR-код/ })).toBeTruthy()
  await user.click(button('Я подтвердил, проверить'))
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull())
  expect(server.calls(paymentsApi.bindMethod).at(-1)).toMatchObject({ body: { kind: 'sbp' } })
})

test('at bePaid another card starts the plan again without a new consent (S10.944)', async () => {
  const { user } = open({ method: card })
  await screen.findByText(/1006/)
  await user.click(button('Сменить'))
  expect(await screen.findByRole('button', { name: /Сменить карту за 3,30/ })).toBeTruthy()
  expect(screen.getByText(/платёжная система не умеет/)).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('removing says what happens to the subscription (S10.945)', async () => {
  const { user, server } = open({ method: card, canBindTo: ['bank_card'] })
  await screen.findByText(/1006/)
  await user.click(button('Отвязать'))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/Подписка «Старт» не продлится/)).toBeTruthy()
  expect(dialog.getByText(/останутся до 15 декабря/)).toBeTruthy()
  server.on(paymentsApi.removeCard, { SingleSubscription: { ...paid, recurrent: false, card: null } })
  server.on(paymentsApi.method, { method: null, isConfirming: false, canBindTo: ['bank_card'] })
  await user.click(dialog.getByRole('button', { name: 'Отвязать' }))
  expect(await screen.findByText('Способ оплаты отвязан, списаний не будет')).toBeTruthy()
  expect(await screen.findByText(/Ничего не сохранено/)).toBeTruthy()
})

test('a method without a subscription can only be removed (S10.945)', async () => {
  open({ method: card, canBindTo: ['bank_card'] }, { balance: { ...paid, recurrent: false, nextCharge: null } })
  expect(await screen.findByText(/Списаний не будет/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Сменить' })).toBeNull()
  expect(button('Отвязать')).toBeTruthy()
})

const returned = { path: '/profile?method=m1' }

test.each([
  ['waits for the bank', { isConfirming: true, method: card }, /Ждём, пока банк подтвердит/],
  ['is saved', { method: { ...card, savedAt: new Date().toISOString() } }, /Сохранено: Банковская карта/],
  ['was not confirmed', { method: { ...card, savedAt: '2020-01-01T00:00:00.000Z' } }, 'Новый способ не сохранён'],
] as const)('coming back from the bank says that the method %s (S10.944)', async (_, saved, expected) => {
  open(saved, returned)
  expect(await screen.findByText(expected)).toBeTruthy()
})

test('a plan without a method names what saving one changes (S10.1162)', async () => {
  const unsaved: SingleSubscription = {
    ...paid,
    ...{
      recurrent: false,
      nextCharge: null,
      card: null,
      endReason: 'unsaved',
      price: { amount: 99_000, currency: 'RUB' },
    },
  }
  open({ method: null, canBindTo: ['bank_card'] }, { balance: unsaved })
  expect(await screen.findByRole('button', { name: 'Карта' })).toBeTruthy()
  expect(text()).toContain('подписка «Старт» сама не продлится')
  expect(text()).toContain('15 декабря 2026 г. спишется 990')
})

test('where nothing can be saved, nothing is offered (S10.1162)', async () => {
  open({ method: null }, { balance: { ...paid, recurrent: false, nextCharge: null, endReason: 'unsaved' } })
  expect(await screen.findByText(/сохранить сейчас нечем/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
