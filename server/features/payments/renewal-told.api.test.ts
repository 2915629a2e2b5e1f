import { expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { usersApi } from '#contract/users.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { singleSubscription } from '../billing/balance.ts'
import { remindRenewals } from './poll-gateway.ts'
import { DAY, startRenewing } from './testing/renewing.ts'

const app = await startRenewing()
const { shop, started, jobAfter, subscriber, rowOf, renewalsOf, chargesOf, subjectsOf } = app

const unsavedSubscriber = () => {
  shop.faults.unsaved = 1
  return subscriber()
}
const lastText = async (person: Parameters<typeof app.emailsTo>[0]) => (await app.emailsTo(person)).at(-1)?.text ?? ''

test('a plan whose method was not saved does not promise to renew (S10.1160)', async () => {
  const { person, id } = await unsavedSubscriber()
  expect(await app.balance(person)).toMatchObject({
    ...{ recurrent: false, nextCharge: null, endReason: 'unsaved', card: null },
    ...{ plan: { name: 'Про' }, price: { amount: 99_000, currency: 'RUB' }, availableTokens: 1000 },
  })
  expect(await lastText(person)).toContain('сама она не продлится: способ оплаты не сохранился')
  expect(await person.call(paymentsApi.method, {})).toMatchObject({ method: null, canBindTo: ['bank_card', 'sbp'] })
  const card = await app.owner.call(usersAdminApi.card, { params: { id: person.user.id } })
  expect(card.subscriptions).toMatchObject([{ state: 'unsaved', renewAt: null }])
  expect(await rowOf(id)).toMatchObject({ renewAt: null, checkAt: null })
})

test('its reminder says that it ends, and its end asks no bank (S10.1161)', async () => {
  const { person, id } = await unsavedSubscriber()
  await remindRenewals(app.payments, new Date(started + 28 * DAY))
  await remindRenewals(app.payments, new Date(started + 28 * DAY))
  const subjects = await subjectsOf(person)
  expect(subjects.filter((subject) => subject === 'Подписка «Про» скоро закончится')).toHaveLength(1)
  expect(subjects).not.toContain('Подписка «Про» скоро продлится')
  expect(await lastText(person)).toContain('способ оплаты не сохранился, поэтому сама она не продлится')
  await jobAfter(30)
  await jobAfter(31)
  expect(await renewalsOf(id)).toEqual([])
  expect(await chargesOf(person)).toBe(1)
  expect(await subjectsOf(person)).toEqual(subjects)
  expect((await rowOf(id))?.activeTo?.getTime()).toBeLessThan(Date.now())
  expect(await singleSubscription(app.db, person.user.id)).toMatchObject({ recurrent: false })
})

test('a method that is saved later lets the plan renew (S10.1162)', async () => {
  const { person, id } = await unsavedSubscriber()
  await person.call(paymentsApi.bindMethod, { body: { kind: 'bank_card' } })
  shop.confirmMethod([...shop.methods.keys()].at(-1) ?? '')
  await shop.idle()
  const balance = await app.balance(person)
  expect(balance).toMatchObject({ recurrent: true, endReason: null, nextCharge: { amount: 99_000 } })
  expect(balance.card).toMatchObject({ last4: '4477' })
  await jobAfter(30)
  expect(await rowOf(id)).toMatchObject({ state: 'active', paidBillingCycles: 2 })
  expect(await chargesOf(person)).toBe(2)
})

test('a plan replaced by a later one is not taken up again (S10.1162)', async () => {
  const { person, id } = await unsavedSubscriber()
  await app.subscribe(person, app.plan.id)
  expect(await rowOf(id)).toMatchObject({ state: 'unsaved', renewAt: null })
  expect(await app.balance(person)).toMatchObject({ recurrent: true, endReason: null })
  await remindRenewals(app.payments, new Date(started + 28 * DAY))
  expect(await subjectsOf(person)).not.toContain('Подписка «Про» скоро закончится')
})

test('a card saved before is charged, and the letter says so (S10.1160)', async () => {
  const { person } = await subscriber()
  await person.call(paymentsApi.cancel, {})
  shop.faults.unsaved = 1
  await app.subscribe(person, app.plan.id)
  expect(await app.balance(person)).toMatchObject({ recurrent: true, endReason: null })
  expect(await lastText(person)).toContain('подписка продлится сама')
})

test('a cancelled plan says that it was cancelled (S10.1160)', async () => {
  const { person } = await subscriber()
  const { SingleSubscription } = await person.call(paymentsApi.cancel, {})
  expect(SingleSubscription).toMatchObject({ recurrent: false, endReason: 'canceled', nextCharge: null })
})

test('the data file says that the plan does not renew and why (S10.1160)', async () => {
  const { person } = await unsavedSubscriber()
  const response = await person.fetch(usersApi.export.path.replace(':id', person.user.id))
  expect(await response.json()).toMatchObject({
    balance: { recurrent: false, nextCharge: null, endReason: 'unsaved' },
    subscriptions: [{ state: 'unsaved', renewAt: null }],
  })
})
