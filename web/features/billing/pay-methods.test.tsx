import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { PretenceNote } from './pay-methods.tsx'

const bundle = {
  ...{ id: 'b1', name: 'Пакет', symbols: 100_000, price: 35_050, currency: 'RUB', active: true, position: 0 },
}

function open(isPretence: boolean) {
  const server = new FakeServer()
    .on(plansApi.list, [])
    .on(bundlesApi.list, [bundle, { ...bundle, id: 'b2', currency: 'BYN' }])
    .on(paymentsApi.options, { isOn: true, methods: [], once: [], isOnce: false, isPretence })
  return { server, ...render(<PretenceNote />) }
}

test('a test gateway is named once for all currencies (S10.946, S10.1536)', async () => {
  const { server } = open(true)
  await waitFor(() => expect(server.calls(paymentsApi.options)).toHaveLength(2))
  expect(await screen.findAllByText('Тестовая оплата')).toHaveLength(1)
})

test('a real gateway is not called a test', async () => {
  const { server } = open(false)
  await waitFor(() => expect(server.calls(paymentsApi.options)).toHaveLength(2))
  expect(screen.queryByText('Тестовая оплата')).toBeNull()
})
