import { join } from 'node:path'
import { arrayContains } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { paymentsApi } from '#contract/payments.ts'
import { usersApi } from '#contract/users.ts'
import { paymentEvents } from '#server/db/schema.ts'
import { reconcile } from '#server/features/billing/invariants.ts'
import { hold, settle } from '#server/features/billing/ledger.ts'
import { compareWithBepaid } from '#server/features/payments/compare-gateway.ts'
import { startPaidApp } from '#server/features/payments/testing/paid-app.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testFolder } from '#server/testing/folder.ts'
import { writeArchive } from './archive.ts'
import { openDestination } from './destination.ts'
import { checkDatabase, restoreAll } from './operations.ts'

let restored: TestApp
const say = () => {}
const folder = testFolder()
const destination = await openDestination({ folder: join(folder, 'backups') })
const app = await startPaidApp()
const database = await testDatabase()
afterAll(async () => {
  await restored?.close()
})

const balance = async (person: SignedIn) => (await person.call(usersApi.me, {})).SingleSubscription.availableTokens

async function spend(userId: string, symbols: number) {
  await hold(app.db, { key: `answer:${userId}`, userId, kind: 'answer', symbols, instance: app.instance.id })
  await settle(app.db, `answer:${userId}`, symbols, {})
}

test('after a restore, later payments are found and booked by their orders (S10.258)', async () => {
  const [anna, boris, vera] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const [plan, bundle] = [await app.aPlan({ symbols: 1000 }), await app.aBundle({ symbols: 500, price: 350 })]
  const since = new Date()
  const subscription = await app.subscribe(anna, plan.id)
  // Boris has opened the payment page, and pays only after the backup.
  const { redirect_url } = await boris.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const source = { database: app.database, storage: app.files.storage, build: 'test', secret: null }
  const name = await writeArchive(source, destination, say)

  await app.control('renew', { id: subscription })
  await app.press(redirect_url, 'pay')
  const lost = await app.buyBundle(vera, bundle.id)
  await spend(anna.user.id, 300)
  expect([await balance(anna), await balance(boris), await balance(vera)]).toEqual([1700, 500, 500])

  // The disaster: only the backup is left.
  const files = await openDestination({ folder: join(folder, 'files') })
  await restoreAll(
    { target: database, files, dataDir: folder, authSecret: 'of the settings' },
    destination.storage,
    name,
    say,
  )
  expect(await checkDatabase(database, say)).toBe(true)
  const { shops } = app.payments
  restored = await startTestApp({ database, shops, startSymbols: 0 })
  const people = await Promise.all([anna, boris, vera].map(({ user }) => restored.signIn(user.email)))
  const balances = () => Promise.all(people.map(balance))
  expect(await balances()).toEqual([1000, 0, 0])

  const found = await compareWithBepaid(restored.payments, { since, apply: false })
  expect(found.length).toBeGreaterThanOrEqual(2)
  expect(await balances()).toEqual([1000, 0, 0])
  const booked = await compareWithBepaid(restored.payments, { since, apply: true })
  expect(booked.every(({ attached }) => attached)).toBe(true)
  // Symbols spent after the backup are back on the balances.
  expect(await balances()).toEqual([2000, 500, 0])
  expect(await compareWithBepaid(restored.payments, { since, apply: false })).toEqual([])

  // bePaid cannot list single payments: Vera's payment is found only when the webhook is delivered again.
  const body = JSON.stringify({ transaction: app.fakeBepaid.accounts.transactions.get(lost)?.transaction })
  const headers = app.fakeBepaid.webhookSender.headersOf(body)
  await restored.app.request('/api/bepaid/webhook', { method: 'POST', headers, body })
  const [event] = await restored.db
    .select()
    .from(paymentEvents)
    .where(arrayContains(paymentEvents.refs, [lost]))
  expect(event).toMatchObject({ orphan: true })
  // Vera opens the payment page once more without paying, and the owner counts her payment for that order.
  const [, , returned] = people
  await returned?.call(paymentsApi.bundleUrl, { query: { bundleId: bundle.id } })
  const [order] = (await returned?.call(paymentsApi.orders, {})) ?? []
  const owner = await restored.signIn('owner@example.test')
  await owner.call(paymentEventsApi.attach, { params: { id: event?.id ?? '' }, body: { orderId: order?.id ?? '' } })
  expect(await balances()).toEqual([2000, 500, 500])
  expect(await reconcile(restored.db)).toEqual([])
})
