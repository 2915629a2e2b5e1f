import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi } from '#contract/plans.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { BundleCards } from './bundle-cards.tsx'

const bundle = {
  ...{ id: 'b1', name: 'Пакет', symbols: 100_000, price: 35_050, currency: 'RUB', active: true, position: 0 },
}

function open(methods: ('bank_card' | 'sbp')[], isOn = true) {
  const server = new FakeServer()
    .on(bundlesApi.list, [bundle])
    .on(paymentsApi.options, { isOn, methods, isPretence: false })
    .on(modelsApi.list, [])
    .on(modelsApi.usualCosts, [])
    .on(usersApi.me, aProfile())
    .on(paymentsApi.bundleUrl, { redirect_url: `${location.origin}/profile?payment=o-1` })
  return { server, ...render(<BundleCards />) }
}

const buy = () => screen.findByRole('button', { name: 'Купить: Пакет' })

test('where several methods are offered the buyer chooses one (S10.942)', async () => {
  const { user, server } = open(['bank_card', 'sbp'])
  await waitFor(() => expect(server.calls(paymentsApi.options)).toHaveLength(1))
  await user.click(await buy())
  const dialog = within(await screen.findByRole('dialog', { name: 'Чем заплатить?' }))
  expect(dialog.getByText(/350,50/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'СБП' }))
  await waitFor(() => expect(location.search).toBe('?payment=o-1'))
  expect(server.calls(paymentsApi.bundleUrl)).toMatchObject([{ query: { bundleId: 'b1', method: 'sbp' } }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an error of the payment is shown where the method is chosen (S10.942)', async () => {
  const { user, server } = open(['bank_card', 'sbp'])
  server.on(paymentsApi.bundleUrl, rejection('unavailable', 'Платёжный шлюз не отвечает.'))
  await user.click(await buy())
  const dialog = within(await screen.findByRole('dialog', { name: 'Чем заплатить?' }))
  await user.click(dialog.getByRole('button', { name: 'Банковская карта' }))
  expect(await dialog.findByText(/не отвечает/)).toBeTruthy()
})

test('nothing is asked where the payment page asks itself (S10.942)', async () => {
  const { user, server } = open([])
  await user.click(await buy())
  await waitFor(() => expect(server.calls(paymentsApi.bundleUrl)).toMatchObject([{ query: { bundleId: 'b1' } }]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('without payments bundles cannot be bought, and it is said (S10.946)', async () => {
  open([], false)
  expect(await screen.findByText('Оплата пока не настроена')).toBeTruthy()
  expect((await buy()).hasAttribute('disabled')).toBe(true)
})
