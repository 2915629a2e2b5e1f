import { expect, test } from 'vitest'
import { pageApi } from '#contract/page.ts'
import { createPlan } from '#server/features/payments/plans.ts'
import { startTestApp } from '#server/testing/app.ts'

const terms = { description: '', symbols: 1000, currency: 'BYN', intervalDays: 30, position: 0 }

test('a stranger learns about the product, the gift and the cheapest plan (S10.175)', async () => {
  const app = await startTestApp({ startSymbols: 5000 })
  const welcome = async () => (await app.visitor().call(pageApi.state, {})).welcome
  expect(await welcome()).toMatchObject({ offer: '5\u00a0000 символов в подарок.' })
  await createPlan(app.db, { name: 'Про', price: 2990, active: true, ...terms })
  await createPlan(app.db, { name: 'Старт', price: 990, active: true, ...terms })
  await createPlan(app.db, { name: 'Прежний', price: 100, active: false, ...terms })
  const { text, offer, examples } = (await welcome()) ?? {}
  expect(text).toContain('Чат с разными нейросетями')
  expect(offer?.replaceAll('\u00a0', ' ')).toBe('5 000 символов в подарок, тарифы от 9,90 BYN за 30 дней.')
  expect(examples).toHaveLength(3)
  expect((await (await app.signIn()).call(pageApi.state, {})).welcome).toBeNull()
  await app.close()
})

test('without a gift and without plans nothing is promised', async () => {
  const app = await startTestApp({ startSymbols: 0 })
  expect((await app.visitor().call(pageApi.state, {})).welcome).toMatchObject({ offer: '' })
  await app.close()
})
