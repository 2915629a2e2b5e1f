import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { paymentsApi } from '#contract/payments.ts'
import { plansApi } from '#contract/plans.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aPlan, aProfile } from '#web/testing/samples.ts'
import { PlanChoice } from './plan-choice.tsx'

const plan = aPlan()

const options = { isOn: true, methods: [], once: [], isOnce: false, isPretence: false }

const submit = () => screen.queryByRole('button', { name: 'Оформить подписку' })

async function subscribe(server: FakeServer) {
  server
    .on(plansApi.list, [plan])
    .on(paymentsApi.options, options)
    .on(usersApi.me, aProfile())
    .on(modelsApi.list, [aModel(), aModel({ id: 'draws', kind: 'image', imagePrice: 2000 })])
    .on(modelsApi.usualCosts, [{ modelId: 'm1', answer: { low: 300, high: 900 }, exchange: 830 }])
  const { user } = render(<PlanChoice />)
  await user.click(await screen.findByRole('checkbox', { name: /Соглашаюсь/ }))
  await user.click(screen.getByRole('button', { name: 'Оформить подписку' }))
}

test('the page says that payment is not set up, without a retry (S10.78)', async () => {
  const off = rejection('payments_off', 'Оплата не настроена: на этом сервере не задана платёжная система.')
  await subscribe(new FakeServer().on(paymentsApi.consent, off).on(paymentsApi.subscriptionUrl, off))
  expect(await screen.findByText('Оплата пока не настроена')).toBeTruthy()
  expect(screen.getByText(/^503: Оплата не настроена/)).toBeTruthy()
  expect(submit()).toBeNull()
})

test('the page shows why payment failed and offers a retry', async () => {
  const server = new FakeServer().on(paymentsApi.consent, { id: 'c1' })
  await subscribe(server.on(paymentsApi.subscriptionUrl, rejection('unavailable', 'Платёжный шлюз не отвечает.')))
  expect(await screen.findByText(/Платёжный шлюз не отвечает/)).toBeTruthy()
  expect(submit()).toBeTruthy()
  expect(screen.getByText(/^≈ 600\sответов «Умная» или 250\sкартинок$/)).toBeTruthy()
  expect(server.calls(paymentsApi.consent)).toMatchObject([{ body: { planId: 'start' } }])
})

test('a plan is paid by the chosen method (S10.942)', async () => {
  const server = new FakeServer()
    .on(plansApi.list, [plan])
    .on(usersApi.me, aProfile())
    .on(modelsApi.list, [])
    .on(modelsApi.usualCosts, [])
    .on(paymentsApi.consent, { id: 'c1' })
    .on(paymentsApi.options, { isOn: true, methods: ['bank_card', 'sbp'], once: [], isOnce: false, isPretence: false })
    .on(paymentsApi.subscriptionUrl, rejection('unavailable', 'Платёжный шлюз не отвечает.'))
  const { user } = render(<PlanChoice />)
  expect(await screen.findByRole('radio', { name: 'Банковская карта', checked: true })).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'СБП' }))
  expect(screen.getByText(/Покажем QR-код/)).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: /Соглашаюсь/ }))
  await user.click(screen.getByRole('button', { name: 'Оформить подписку' }))
  await screen.findByText(/не отвечает/)
  expect(server.calls(paymentsApi.subscriptionUrl)[0]?.query).toEqual({
    planId: 'start',
    method: 'sbp',
    renews: 'true',
  })
})

test('without payments the form says so before it is filled in (S10.946)', async () => {
  new FakeServer()
    .on(plansApi.list, [plan])
    .on(usersApi.me, aProfile())
    .on(modelsApi.list, [])
    .on(modelsApi.usualCosts, [])
    .on(paymentsApi.options, { isOn: false, methods: [], once: [], isOnce: false, isPretence: false })
  render(<PlanChoice />)
  expect(await screen.findByText('Оплата пока не настроена')).toBeTruthy()
  expect(submit()).toBeNull()
})

test('a plan that cannot renew is sold once, without a consent (S10.1170)', async () => {
  const server = new FakeServer()
    .on(plansApi.list, [plan])
    .on(usersApi.me, aProfile())
    .on(modelsApi.list, [])
    .on(modelsApi.usualCosts, [])
    .on(paymentsApi.options, { ...options, methods: ['bank_card', 'sbp'], once: ['bank_card'] })
    .on(paymentsApi.subscriptionUrl, rejection('conflict', 'Условия изменились.'))
  const { user } = render(<PlanChoice />)
  const buy = await screen.findByRole('button', { name: 'Купить на один период' })
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.getByText(/тариф покупается на один период, до .+ и сам не продлится/)).toBeTruthy()
  expect(screen.getByText('не будет')).toBeTruthy()
  await user.click(buy)
  expect(await screen.findByText('409: Условия изменились.')).toBeTruthy()
  expect(server.calls(paymentsApi.subscriptionUrl)[0]?.query).toMatchObject({ method: 'bank_card', renews: 'false' })
  expect(server.calls(paymentsApi.consent)).toEqual([])
  await waitFor(() => expect(server.calls(paymentsApi.options).length).toBeGreaterThan(1))
  await user.click(screen.getByRole('radio', { name: 'СБП' }))
  expect(screen.getByRole('checkbox', { name: /Соглашаюсь/ })).toBeTruthy()
  expect(screen.getByText(/^автоматически каждые/)).toBeTruthy()
})
