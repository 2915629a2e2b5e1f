import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type GatewayState, gatewaysApi } from '#contract/gateways.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aPlan } from '#web/testing/samples.ts'
import { GatewayBoard } from './gateway-board.tsx'

const bepaid: GatewayState = {
  ...{ name: 'bepaid', title: 'bePaid', isOn: false, isTest: false, isFake: false, currencies: [], methods: [] },
  ...{ receipts: null, notificationUrl: null, missing: ['Задайте BEPAID_SHOP_ID и BEPAID_SECRET_KEY.'] },
}
const yookassa: GatewayState = {
  ...{ name: 'yookassa', title: 'ЮKassa', isOn: true, isTest: false, isFake: false, currencies: ['RUB'] },
  ...{ methods: ['bank_card', 'sbp'], notificationUrl: 'https://example.com/api/yookassa/webhook', missing: [] },
  receipts: { by: 'yookassa', vatCode: 1, taxSystem: 2, subject: 'service', mode: 'full_payment' },
}

function open(gateways: GatewayState[], currency = 'RUB') {
  const server = new FakeServer()
    .on(gatewaysApi.list, gateways)
    .on(plansApi.list, [aPlan({ currency })])
    .on(bundlesApi.list, [])
  return { server, ...render(<GatewayBoard />) }
}

test('the owner sees methods, receipts and the address of notifications (S10.947)', async () => {
  open([bepaid, yookassa])
  expect(await screen.findByText('Оплата принимается')).toBeTruthy()
  expect(screen.getByText('Банковская карта, СБП')).toBeTruthy()
  expect(screen.getByText(/«Чеки от ЮKassa», без НДС, УСН «доходы», услуга, полный расчёт/)).toBeTruthy()
  expect(screen.getByText(yookassa.notificationUrl ?? '')).toBeTruthy()
  expect(screen.getByText(/Задайте BEPAID_SHOP_ID/)).toBeTruthy()
  expect(screen.getByText('Выключена')).toBeTruthy()
})

test('the check says what differs, or that all is well (S10.947)', async () => {
  const { user, server } = open([yookassa])
  server.on(gatewaysApi.check, { isOk: false, problems: ['В магазине не подключено: sbp.'] })
  const button = await screen.findByRole('button', { name: 'Проверить ЮKassa' })
  await user.click(button)
  expect(await screen.findByText('В магазине не подключено: sbp.')).toBeTruthy()
  server.on(gatewaysApi.check, { isOk: true, problems: [] })
  await user.click(button)
  expect(await screen.findByText('Всё сходится')).toBeTruthy()
  server.on(gatewaysApi.check, rejection('internal', 'Что-то сломалось.'))
  await user.click(button)
  expect(await within(document.body).findByRole('alert')).toBeTruthy()
})

test.each([
  ['nothing is set up', [bepaid, { ...yookassa, isOn: false }], 'Оплата не настроена'],
  ['it is a pretence', [{ ...yookassa, isFake: true, isTest: true }], 'Тестовая оплата'],
  ['the shop is a test shop', [{ ...yookassa, isTest: true }], 'Тестовые платежи'],
])('the owner is told that %s (S10.947)', async (_, gateways, title) => {
  open(gateways)
  expect(await screen.findByText(title)).toBeTruthy()
})

test('prices in a currency without a gateway are named (S10.947)', async () => {
  open([bepaid, yookassa], 'BYN')
  expect(await screen.findByText('Платежи в BYN никто не принимает')).toBeTruthy()
})
