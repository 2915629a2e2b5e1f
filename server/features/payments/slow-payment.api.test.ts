import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { orders } from '#server/db/schema.ts'
import { reconcilePending } from './poll-gateway.ts'
import { startPaidApp } from './testing/paid-app.ts'

/** A bill is paid at the bank, hours after the page was left. */

const app = await startPaidApp()

const HOUR_MS = 3_600_000
const hoursOn = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

async function takeBill() {
  const anna = await app.signIn()
  const bundle = await app.aBundle({ symbols: 500 })
  const { redirect_url } = await anna.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  await app.press(redirect_url, 'bill')
  const [order] = await app.ordersOf(anna)
  const params = { id: order?.id ?? '' }
  return { anna, id: params.id, seen: () => anna.call(paymentsApi.order, { params }) }
}

test('an unpaid bill is shown as processing and gives nothing yet', async () => {
  const { anna, seen } = await takeBill()
  expect(await seen()).toMatchObject({ status: 'pending', progress: 'processing' })
  expect((await app.balance(anna)).availableTokens).toBe(0)
})

test('a bill paid a day later counts, though its page is closed (S10.197)', async () => {
  const { anna, seen } = await takeBill()
  await app.control('expire')
  for (const hours of [1, 6, 26, 30]) await reconcilePending(app.payments, hoursOn(hours))
  expect(await seen()).toMatchObject({ status: 'pending' })
  await app.control('settle')
  expect(await seen()).toMatchObject({ status: 'paid' })
  expect((await app.balance(anna)).availableTokens).toBe(500)
})

test('a paid bill with a lost notice is found by asking', async () => {
  for (const isKnown of [true, false]) {
    const { anna } = await takeBill()
    await app.control('lose-webhook')
    await app.control('settle')
    const [uid = ''] = [...app.fakeBepaid.accounts.transactions.keys()].slice(-1)
    if (!isKnown) app.fakeBepaid.accounts.transactions.delete(uid)
    await reconcilePending(app.payments, hoursOn(1))
    expect((await app.balance(anna)).availableTokens).toBe(500)
  }
})

test('an unpaid bill is given up a day after its page closed (S10.197)', async () => {
  const { id, seen } = await takeBill()
  await reconcilePending(app.payments, hoursOn(26))
  expect(await seen()).toMatchObject({ status: 'pending' })
  await reconcilePending(app.payments, hoursOn(50))
  const [order] = await app.db.select().from(orders).where(eq(orders.id, id))
  expect(order).toMatchObject({ status: 'expired', checkAt: null })
})
