import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { gatewaysApi } from '#contract/gateways.ts'
import { healthApi } from '#contract/health.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { type GatewayName, paymentsApi } from '#contract/payments.ts'
import { orders, shopRefusals, subscriptions } from '#server/db/schema.ts'
import { remindRenewals } from './poll-gateway.ts'
import { DAY, startRenewing } from './testing/renewing.ts'

const app = await startRenewing()
const { shop, plan, owner, started, jobAfter, subjectsOf, renewalsOf } = app
afterEach(() => app.db.delete(shopRefusals))

const WORDS = "This store can't make recurring payments. Contact the YooMoney manager to learn more"
const subscribe = (person: typeof owner, query: { method?: 'sbp' | 'bank_card'; renews?: 'true' | 'false' } = {}) =>
  person.call(paymentsApi.subscriptionUrl, { query: { planId: plan.id, ...query } })
const optionsOf = (person: typeof owner) => person.call(paymentsApi.options, { query: { currency: 'RUB' } })
const check = (name: GatewayName = 'yookassa') => owner.call(gatewaysApi.check, { params: { name } })

test('without permission for autopayments a plan is sold once (S10.1165)', async () => {
  const person = await app.signIn()
  shop.faults.isWithoutAutopayments = true
  await expect(subscribe(person, { method: 'bank_card', renews: 'true' })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('на один период, без продления'),
  })
  expect(await optionsOf(person)).toMatchObject({ isOn: true, methods: ['bank_card', 'sbp'], once: ['bank_card'] })
  await subscribe(person, { method: 'bank_card', renews: 'false' })
  expect(shop.payments.get(app.newestPayment())).toMatchObject({ metadata: { order: expect.stringMatching(/^plan:/) } })
  await app.pay()
  const balance = await app.balance(person)
  expect(balance).toMatchObject({ availableTokens: 1000, recurrent: false, nextCharge: null, endReason: 'once' })
  expect((await app.emailsTo(person)).at(-1)?.text).toContain('куплена на один период и сама не продлится')
})

test('a plan that was sold once ends without a charge (S10.1165)', async () => {
  const person = await app.signIn()
  shop.faults.isWithoutAutopayments = true
  await expect(subscribe(person, { method: 'bank_card' })).rejects.toMatchObject({ status: 409 })
  await subscribe(person, { method: 'bank_card' })
  await app.pay()
  shop.faults.isWithoutAutopayments = false
  await app.db.delete(shopRefusals)
  // A method that is saved for something else gives no permission for this plan.
  await person.call(paymentsApi.bindMethod, { body: { kind: 'bank_card' } })
  shop.confirmMethod([...shop.methods.keys()].at(-1) ?? '')
  await shop.idle()
  expect(await app.balance(person)).toMatchObject({ recurrent: false, endReason: 'once' })
  await remindRenewals(app.payments, new Date(started + 28 * DAY))
  expect(await subjectsOf(person)).toContain('Подписка «Про» скоро закончится')
  await jobAfter(31)
  expect(await app.chargesOf(person)).toBe(1)
  const own = await app.db.select().from(subscriptions).where(eq(subscriptions.userId, person.user.id))
  expect(own.map(({ activeTo }) => Number(activeTo) < Date.now())).toEqual([true])
})

test('nobody buys renewals that are gone, or that are back (S10.1166)', async () => {
  const person = await app.signIn()
  await expect(subscribe(person, { method: 'bank_card', renews: 'false' })).rejects.toMatchObject({ status: 409 })
  expect(await app.ordersOf(person)).toEqual([])
  shop.faults.isWithoutAutopayments = true
  await check()
  await expect(subscribe(person, { method: 'sbp', renews: 'true' })).rejects.toMatchObject({ status: 409 })
  expect(await app.ordersOf(person)).toEqual([])
})

test('the owner reads what is refused in the words of ЮKassa (S10.1167)', async () => {
  shop.faults.isWithoutAutopayments = true
  const { isOk, problems } = await check()
  expect(isOk).toBe(false)
  expect(problems).toHaveLength(2)
  expect(problems[0]).toContain(`автоплатежи (банковская карта): «${WORDS}»`)
  const states = await owner.call(gatewaysApi.list, {})
  expect(states.find(({ name }) => name === 'yookassa')?.missing.join()).toContain(WORDS)
  const { payments } = await owner.call(healthApi.ready, {})
  expect(payments?.find(({ name }) => name === 'yookassa')?.missing.join()).toContain(WORDS)
  shop.faults.isWithoutAutopayments = false
  expect(await check()).toEqual({ isOk: true, problems: [] })
  expect(await app.db.select().from(shopRefusals)).toEqual([])
  expect((await optionsOf(owner)).once).toEqual([])
})

test('a method that is not connected is not offered any more (S10.1168)', async () => {
  const person = await app.signIn()
  shop.faults.closedMethods = ['sbp']
  await expect(subscribe(person, { method: 'sbp', renews: 'true' })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('Выберите другой'),
  })
  expect(await optionsOf(person)).toMatchObject({ methods: ['bank_card'], once: [] })
  const { problems } = await check()
  expect(problems.join()).toContain('не принимает этот способ (СБП): «Payment method is not available»')
  await subscribe(person, { method: 'bank_card', renews: 'true' })
  await app.pay()
  expect(await app.balance(person)).toMatchObject({ recurrent: true })
  shop.faults.closedMethods = []
  expect((await check()).isOk).toBe(true)
  expect((await optionsOf(person)).methods).toEqual(['bank_card', 'sbp'])
})

test('a bundle by a method that is not connected names another one (S10.1168)', async () => {
  const person = await app.signIn()
  const { id: bundleId } = await app.aBundle()
  shop.faults.closedMethods = ['sbp']
  const buy = (method: 'sbp' | 'bank_card') => person.call(paymentsApi.bundleUrl, { query: { bundleId, method } })
  await expect(buy('sbp')).rejects.toMatchObject({ status: 409 })
  await buy('bank_card')
  await app.pay()
  expect((await app.balance(person)).availableTokens).toBe(500)
})

test('a refusal of another kind teaches nothing (S10.1167)', async () => {
  const person = await app.signIn()
  shop.faults.refused = 9
  await expect(subscribe(person, { method: 'bank_card' })).rejects.toMatchObject({ status: 503 })
  shop.faults.refused = 9
  expect((await check()).problems.join()).toContain('отклонила пробный платёж (банковская карта): «invalid_request»')
  expect(await app.db.select().from(shopRefusals)).toEqual([])
})

test('a check leaves no trace among orders and problems (S10.1167)', async () => {
  await check()
  const id = app.newestPayment()
  expect(shop.payments.get(id)?.metadata.order).toMatch(/^check:/)
  shop.expire(id)
  await shop.idle()
  const { items } = await owner.call(paymentEventsApi.table, { query: { query: id } })
  expect(items).toEqual([])
  expect(await app.db.$count(orders, eq(orders.gatewayToken, id))).toBe(0)
})

test('a renewal that the shop may not charge blames no bank (S10.1169)', async () => {
  const { person, id } = await app.subscriber()
  shop.faults.isWithoutAutopayments = true
  await jobAfter(30)
  expect(await app.db.select().from(shopRefusals)).toMatchObject([{ what: 'save', method: 'bank_card', words: WORDS }])
  await jobAfter(31.1)
  expect(await renewalsOf(id)).toMatchObject([{ state: 'waiting' }])
  const letter = (await app.emailsTo(person)).at(-1)?.text
  expect(letter).toContain('Отказал не банк')
  expect(letter).not.toContain('Проверьте, что на счёте')
  shop.faults.isWithoutAutopayments = false
  await jobAfter(32.2)
  expect(await app.chargesOf(person)).toBe(2)
})

test('where saving is refused, no method is offered to be saved (S10.1168)', async () => {
  const person = await app.signIn()
  shop.faults.isWithoutAutopayments = true
  await expect(person.call(paymentsApi.bindMethod, { body: { kind: 'bank_card' } })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('не разрешает'),
  })
  expect(await person.call(paymentsApi.method, {})).toMatchObject({ canBindTo: ['sbp'] })
})
