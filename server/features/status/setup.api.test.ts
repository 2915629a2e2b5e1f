import { expect, test } from 'vitest'
import { documentsForSale, legalAdminApi } from '#contract/legal.ts'
import { type SetupStepName, statusApi } from '#contract/status.ts'
import { bundles, models, plans } from '#server/db/schema.ts'
import { noShops, type Shops } from '#server/payments/shop.ts'
import { testApp } from '#server/testing/app.ts'
import { noteGatewayCheck } from '../payments/gateway-checks.ts'
import { readSetup, type SetupPlace } from './setup.ts'
import { type Observed, statusOf } from './status.ts'

const app = await testApp()

const observed = (more: Partial<Observed> = {}): Observed => ({
  ...{ now: new Date('2026-11-16T08:00:00.000Z'), warnings: [], databaseMs: 1, figures: {}, instances: [] },
  ...{ hasRedis: false, hasMail: true, hasShop: false },
  queue: { waiting: 0, running: 0, failed: 0, oldest: null },
  ...more,
})
const shopOf = (more: object) => ({ ...noShops, yookassa: { name: 'yookassa', currencies: ['RUB'], ...more } }) as Shops

const bare: SetupPlace = {
  ...{ db: app.db, shops: noShops, providers: () => [] },
  settings: { appUrl: 'http://localhost:3000', smtp: null, namesSupport: false },
}
const steps = async (place: Partial<SetupPlace> = {}, more: Partial<Observed> = {}) =>
  readSetup({ ...bare, ...place }, statusOf(observed(more)))
const step = async (name: SetupStepName, place: Partial<SetupPlace> = {}, more: Partial<Observed> = {}) =>
  (await steps(place, more)).find((each) => each.name === name)

test('a bare installation has no step done, each says what to do (S10.1554)', async () => {
  await app.db.update(plans).set({ active: false })
  await app.db.update(bundles).set({ active: false })
  const all = await steps()
  expect(all.filter(({ isDone }) => isDone)).toEqual([])
  expect(all.map(({ name, text }) => [name, text])).toEqual([
    ['address', expect.stringContaining('APP_URL')],
    ['mail', expect.stringContaining('SMTP_URL')],
    ['model', expect.stringContaining('OPENAI_API_KEY')],
    ['prices', expect.stringContaining('добавьте тариф')],
    ['payments', expect.stringContaining('не подключена')],
    ['documents', expect.stringContaining('оферта')],
    ['support', expect.stringContaining('SUPPORT_URL')],
    ['backup', expect.stringContaining('npm run backup')],
  ])
})

test('steps follow the settings (S10.1554)', async () => {
  const settings = {
    ...{ appUrl: 'https://chat.example', namesSupport: true },
    smtp: { url: 'smtps://mail.example', from: 'robot@chat.example' },
  }
  for (const name of ['address', 'mail', 'support'] as const)
    expect(await step(name, { settings })).toMatchObject({ isDone: true })
  const outages = [{ part: 'mail', since: '2026-11-16T07:00:00.000Z' }]
  const instance = { id: 'a', name: 'a', build: null, startedAt: '', seenAt: '', outages }
  expect(await step('mail', { settings }, { instances: [instance] })).toMatchObject({ isDone: false })
})

test('a model needs a key and must be shown (S10.1554)', async () => {
  const place = { providers: () => ['openai'] }
  expect(await step('model', place)).toMatchObject({ isDone: false, text: expect.stringContaining('не видят') })
  const model = { id: 'real', name: 'Настоящая', provider: 'openai', providerModel: 'x', position: 90 }
  await app.db.insert(models).values(model)
  expect(await step('model', place)).toMatchObject({ isDone: true, text: 'Отвечают: Настоящая.' })
  expect(await step('model', { providers: () => [] })).toMatchObject({ isDone: false })
})

test('payments need a real shop that passed a check (S10.1555)', async () => {
  const paid = (shops: Shops) => step('payments', { shops })
  expect((await paid(shopOf({ isFake: true })))?.text).toContain('денег она не списывает')
  expect((await paid(shopOf({ test: true })))?.text).toContain('Магазин тестовый')
  expect(await paid(shopOf({}))).toMatchObject({ isDone: false, text: expect.stringContaining('«Проверить»') })
  const at = new Date('2026-11-16T07:00:00.000Z')
  await noteGatewayCheck(app.db, 'yookassa', false, at)
  expect(await paid(shopOf({}))).toMatchObject({ isDone: false, at: at.toISOString() })
  await noteGatewayCheck(app.db, 'yookassa', true, at)
  expect(await paid(shopOf({}))).toMatchObject({ isDone: true, at: at.toISOString() })
})

test('a price in a currency that nobody takes is not for sale (S10.1554)', async () => {
  const bundle = { id: 'b', name: 'Пакет', symbols: 1000, price: 100, currency: 'BYN' }
  await app.db.insert(bundles).values(bundle)
  expect(await step('prices', { shops: shopOf({}) })).toMatchObject({
    isDone: false,
    text: expect.stringContaining('BYN'),
  })
  expect(await step('prices', { shops: shopOf({ currencies: ['BYN'] }) })).toMatchObject({ isDone: true })
})

test('documents are done when those for sale are published (S10.1554)', async () => {
  const owner = await app.signIn('owner@example.test')
  for (const kind of documentsForSale) {
    expect((await step('documents'))?.isDone).toBe(false)
    const body = { text: 'Свой текст', asksConsent: false, base: 0 }
    await owner.call(legalAdminApi.publish, { params: { kind }, body })
  }
  expect(await step('documents')).toMatchObject({ isDone: true })
})

test('a backup counts for a day (S10.1554)', async () => {
  const after = (hours: number) => step('backup', {}, { figures: { backup_age_seconds: hours * 3600 } })
  expect(await after(5)).toMatchObject({ isDone: true, at: '2026-11-16T03:00:00.000Z' })
  expect(await after(30)).toMatchObject({ isDone: false, text: expect.stringContaining('больше суток') })
})

test('only admins read the steps (S10.1554)', async () => {
  const anna = await app.signIn()
  await expect(anna.call(statusApi.setup, {})).rejects.toMatchObject({ status: 403 })
  const owner = await app.signIn('owner@example.test')
  expect(await owner.call(statusApi.setup, {})).toHaveLength(8)
})
