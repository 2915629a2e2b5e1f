import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentEvents, users } from '#server/db/schema.ts'
import { startPaidApp } from './testing/paid-app.ts'

/** The payment of a renewal whose payer has deleted the account. */
const app = await startPaidApp()
const anna = await app.signIn()
const id = await app.subscribe(anna, (await app.aPlan({ price: 990 })).id)
await app.db.delete(users).where(eq(users.id, anna.user.id))
await app.control('renew', { id })
const uid = [...app.fakeBepaid.accounts.transactions.keys()].at(-1) ?? ''

const list = (query: Record<string, unknown>) => app.owner.call(paymentEventsApi.table, { query })
const openProblem = async () => (await list({ query: uid })).items[0]?.id ?? ''

test('problems and events share a list: sorted, paged and searched together', async () => {
  await app.notify({ transaction: { uid: 'later', type: 'payment', status: 'successful', amount: 1, currency: 'BYN' } })
  const all = (await list({ state: 'all', size: 200 })).items
  const problem = all.findIndex((item) => item.uid === uid && item.state === 'refused')
  expect(all[problem]).toMatchObject({
    kind: 'payment',
    status: 'successful',
    amount: 990,
    currency: 'BYN',
    payer: null,
  })
  expect(all.map(({ receivedAt }) => receivedAt)).toEqual(
    all
      .map(({ receivedAt }) => receivedAt)
      .toSorted()
      .toReversed(),
  )
  const pages = await Promise.all(all.map((_, at) => list({ state: 'all', page: at + 1, size: 1 })))
  expect(pages.flatMap(({ items }) => items)).toEqual(all)
  expect(pages.map(({ total }) => total)).toEqual(all.map(() => all.length))
  const open = await list({ sort: 'deliveries' })
  expect(open.items.map((item) => item.uid).toSorted()).toEqual([uid, 'later'].toSorted())
  const file = await (await app.owner.fetch(`/api/payment-events/csv?query=${uid}`)).text()
  expect(file).toContain('не принято;"Деньги списаны, а аккаунт покупателя удалён')
})

test('a problem has its order and no message, and cannot be retried', async () => {
  const id = await openProblem()
  const card = await app.owner.call(paymentEventsApi.get, { params: { id } })
  expect(card).toMatchObject({ body: null, canRetry: false, fitting: [], orders: [{ status: 'paid' }] })
  await expect(app.owner.call(paymentEventsApi.retry, { params: { id } })).rejects.toMatchObject({ status: 404 })
  const order = await app.owner.call(ordersAdminApi.card, { params: { id: card.orders[0]?.id ?? '' } })
  expect(order.events.map(({ state, body }) => [state, body === null])).toContainEqual(['refused', true])
  expect(await app.db.$count(paymentEvents, eq(paymentEvents.id, id))).toBe(0)
})

test('a problem is resolved with a note, and may be reopened', async () => {
  const id = await openProblem()
  const resolved = await app.owner.call(paymentEventsApi.resolve, { params: { id }, body: { note: 'Вернули деньги' } })
  expect(resolved).toMatchObject({
    state: 'resolved',
    resolution: { note: 'Вернули деньги', by: 'owner@example.test' },
  })
  expect((await list({ query: uid })).items).toEqual([])
  expect((await list({ state: 'resolved' })).items).toMatchObject([{ id }])
  expect(await app.owner.call(paymentEventsApi.reopen, { params: { id } })).toMatchObject({ state: 'refused' })
})
