import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { ledger, paymentEvents } from '#server/db/schema.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { compareWithBepaid } from './compare-gateway.ts'
import { syncOrder } from './gateway-sync.ts'
import { findOrder } from './orders.ts'
import { reconcilePending } from './poll-gateway.ts'
import { startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()

const ledgerOf = async (person: SignedIn) =>
  (await app.db.select().from(ledger).where(eq(ledger.userId, person.user.id))).map(({ kind, symbols }) => [
    kind,
    symbols,
  ])
const eventsNaming = async (query: string) =>
  (await app.owner.call(paymentEventsApi.table, { query: { state: 'all', query } })).items
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** A bundle that was paid for, while the webhook was lost. */
async function paidUnnoticed() {
  const person = await app.signIn()
  const bundle = await app.aBundle({ symbols: 500 })
  await app.control('lose-webhook')
  const uid = await app.buyBundle(person, bundle.id)
  const [order] = await app.ordersOf(person)
  return { person, uid, order: await findOrder(app.db, order?.id ?? '') }
}
const transactionOf = (uid: string) => ({ transaction: app.fakeBepaid.accounts.transactions.get(uid)?.transaction })

test('a payment reported in every way at once counts once (S10.54)', async () => {
  const { person, uid, order } = await paidUnnoticed()
  await app.notify({ transaction: { ...transactionOf(uid).transaction, amount: 1 } })
  const [rejected] = await eventsNaming(uid)
  expect(rejected).toMatchObject({ state: 'refused' })
  const retry = () => app.owner.call(paymentEventsApi.retry, { params: { id: rejected?.id ?? '' } })
  await Promise.all([
    // Refused with 409 when another way was first.
    Promise.allSettled([retry(), retry(), retry()]),
    ...Array.from({ length: 5 }, () => app.notify(transactionOf(uid))),
    ...Array.from({ length: 5 }, () => syncOrder(app.payments, order)),
    person.call(paymentsApi.order, { params: { id: order.id } }),
    app.owner.call(paymentsApi.check, { params: { id: order.id } }),
    reconcilePending(app.payments, inMinutes(6)),
    compareWithBepaid(app.payments, { since: inMinutes(-60), apply: true }),
  ])
  expect(await ledgerOf(person)).toEqual([['bundle', 500]])
  expect(await eventsNaming(uid)).toMatchObject([{ state: 'taken', deliveries: 6, problem: null }])
  expect(await app.emailsTo(person)).toHaveLength(1)
})

test('a renewal reported in every way at once counts once (S10.54)', async () => {
  const person = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const id = await app.subscribe(person, plan.id)
  await app.control('lose-webhook')
  await app.control('renew', { id })
  const [first] = await app.ordersOf(person)
  const order = await findOrder(app.db, first?.id ?? '')
  const body = app.fakeBepaid.accounts.subscriptions.get(id)?.subscription ?? {}
  const uid = [...app.fakeBepaid.accounts.transactions.keys()].at(-1) ?? ''
  await Promise.all([
    ...Array.from({ length: 3 }, () => app.notify(body)),
    ...Array.from({ length: 3 }, () => app.notify(transactionOf(uid))),
    ...Array.from({ length: 3 }, () => syncOrder(app.payments, order)),
    person.call(paymentsApi.cancel, {}),
  ])
  expect(await ledgerOf(person)).toEqual([
    ['plan', 1000],
    ['plan', 1000],
  ])
  expect((await app.ordersOf(person)).map(({ kind, status }) => [kind, status])).toEqual([
    ['renewal', 'paid'],
    ['plan', 'paid'],
  ])
})

test('a polled report is stored, and a later webhook adds its payer', async () => {
  const { uid, order } = await paidUnnoticed()
  await syncOrder(app.payments, order)
  expect(await eventsNaming(uid)).toMatchObject([{ state: 'taken', deliveries: 0, payer: null }])
  const { transaction } = transactionOf(uid)
  await app.notify({ transaction: { ...transaction, customer: { email: 'payer@ingest.test' } } })
  expect(await eventsNaming('payer@ingest.test')).toMatchObject([
    { state: 'taken', uid, deliveries: 1, payer: 'p•••@ingest.test' },
  ])
})

test('a rejected report is accepted when a poll corrects it (S10.53)', async () => {
  const { person, uid, order } = await paidUnnoticed()
  const { transaction } = transactionOf(uid)
  expect((await app.notify({ transaction: { ...transaction, amount: 1 } })).status).toBe(400)
  expect(await eventsNaming(uid)).toMatchObject([{ state: 'refused' }])
  await syncOrder(app.payments, order)
  expect(await eventsNaming(uid)).toMatchObject([{ state: 'taken', problem: null }])
  expect(await ledgerOf(person)).toEqual([['bundle', 500]])
})

test('a later wrong report does not mark an applied payment (S10.53)', async () => {
  const { uid, order } = await paidUnnoticed()
  await syncOrder(app.payments, order)
  const { transaction } = transactionOf(uid)
  expect((await app.notify({ transaction: { ...transaction, amount: 1 } })).status).toBe(200)
  expect(await eventsNaming(uid)).toMatchObject([{ state: 'taken', problem: null }])
  expect(await app.db.$count(paymentEvents, eq(paymentEvents.dedupeKey, `tx:${uid}:payment:successful`))).toBe(1)
})
