import { afterEach, expect } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { usersApi } from '#contract/users.ts'
import { reconcile } from '#server/features/billing/invariants.ts'
import { startFakeYookassa } from '#server/payments/fake-yookassa/fake-yookassa.ts'
import { openYookassa } from '#server/payments/shop.ts'
import { createYookassa } from '#server/payments/yookassa.ts'
import { type SignedIn, type TestApp, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'

/** Timeouts: short for a gateway that never answers, long for one that is slow on a busy machine. */
const SILENT_MS = 500
const PATIENT_MS = 30_000
const SENDERS = ['185.71.76.0/27', '2a02:5180::/32']

/** The app of a test file with a fake ЮKassa behind a proxy; the ledger is checked after every test. */
export async function startYookassaApp() {
  let app: TestApp
  const fake = await closeAfterTests(
    startFakeYookassa({
      port: 0,
      notificationUrl: '/api/yookassa/webhook',
      send: async (url, init) => app.app.request(url, init),
      receipts: { by: 'yookassa', vatCode: 1, taxSystem: 2, subject: 'service', mode: 'full_payment' },
      senders: SENDERS,
    }),
  )
  const { shop } = fake
  const gateway = createYookassa(fake.settings, {
    busyPausesMs: [],
    get timeoutMs() {
      return shop.faults.silent > 0 ? SILENT_MS : PATIENT_MS
    },
  })
  app = await testApp({
    startSymbols: 0,
    settings: { trustedProxies: 1 },
    shops: { yookassa: { ...openYookassa(fake.settings), gateway } },
  })
  afterEach(async () => expect(await reconcile(app.db)).toEqual([]))
  const owner = await app.signIn('owner@example.test')
  let plansMade = 0

  const newest = (things: Map<string, unknown>) => [...things.keys()].at(-1) ?? ''
  const newestPayment = () => newest(shop.payments)

  /** Pays the newest payment and waits until the notifications have arrived. */
  async function pay(): Promise<string> {
    const id = newestPayment()
    shop.pay(id)
    await shop.idle()
    return id
  }

  return {
    ...app,
    fake,
    shop,
    owner,
    newestPayment,
    pay,
    aPlan: (terms: Partial<{ name: string; symbols: number; price: number }> = {}) =>
      owner.call(plansApi.create, {
        body: { name: `Тариф ${++plansMade}`, symbols: 1000, price: 99_000, currency: 'RUB', ...terms },
      }),
    aBundle: () =>
      owner.call(bundlesApi.create, { body: { name: 'Пакет', symbols: 500, price: 35_050, currency: 'RUB' } }),
    /** Buys a plan and pays; returns the payment. */
    subscribe: async (person: SignedIn, planId: string): Promise<string> => {
      await person.call(paymentsApi.subscriptionUrl, { query: { planId } })
      return pay()
    },
    buyBundle: async (person: SignedIn, bundleId: string): Promise<string> => {
      await person.call(paymentsApi.bundleUrl, { query: { bundleId } })
      return pay()
    },
    /** A notification as ЮKassa sends it, or as another sender does. */
    notify: (content: object, sender = '185.71.76.5') =>
      app.app.request('/api/yookassa/webhook', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': sender },
        body: JSON.stringify(content),
      }),
    balance: async (person: SignedIn) => (await person.call(usersApi.me, {})).SingleSubscription,
    ordersOf: (person: SignedIn) => person.call(paymentsApi.orders, {}),
    emailsTo: async (person: SignedIn) => {
      await app.sendEmails()
      return app.outbox.filter(({ to, subject }) => to === person.user.email && !subject.startsWith('Вход'))
    },
  }
}
