import { afterEach, expect } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { usersApi } from '#contract/users.ts'
import { reconcile } from '#server/features/billing/invariants.ts'
import { type BepaidGateway, createBepaid } from '#server/payments/bepaid.ts'
import { startFakeBepaid } from '#server/payments/fake-bepaid/fake-bepaid.ts'
import { openBepaid } from '#server/payments/shop.ts'
import { type SignedIn, type TestApp, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'

export type PaidApp = Awaited<ReturnType<typeof startPaidApp>>

interface PaidAppOptions {
  /** Whether payments with test cards are accepted. */
  test?: boolean
  gateway?: (real: BepaidGateway) => BepaidGateway
  trustedProxies?: number
}

/** Timeouts: short for a gateway that never answers, long for one that is slow on a busy machine. */
const SILENT_MS = 500
const PATIENT_MS = 30_000
const WEBHOOK = '/api/bepaid/webhook'

/** A fake gateway that passes its webhooks to the app. */
export const startFakeGateway = (appOf: () => TestApp) =>
  closeAfterTests(
    startFakeBepaid({
      port: 0,
      shopId: '361',
      secretKey: 'a secret',
      retryPausesMs: [],
      send: async (url, init) => appOf().app.request(new URL(url).pathname, init),
    }),
  )

/**
 * The app of a test file with a fake gateway: asked over HTTP, its webhooks are passed to the app. The ledger is checked
 * after every test.
 */
export async function startPaidApp(options: PaidAppOptions = {}) {
  let app: TestApp
  const fakeBepaid = await startFakeGateway(() => app)
  const real = createBepaid(fakeBepaid.settings, {
    get timeoutMs() {
      return fakeBepaid.silence.count > 0 ? SILENT_MS : PATIENT_MS
    },
  })
  app = await testApp({
    startSymbols: 0,
    settings: { trustedProxies: options.trustedProxies ?? 0 },
    shops: {
      bepaid: {
        ...openBepaid(fakeBepaid.settings),
        gateway: options.gateway?.(real) ?? real,
        test: options.test ?? true,
      },
    },
  })
  afterEach(async () => expect(await reconcile(app.db)).toEqual([]))
  const owner = await app.signIn('owner@example.test')
  let plansMade = 0

  /** Sends a signed webhook; `change` overrides its body or headers after signing. */
  async function notify(content: object, change: { body?: string; headers?: Record<string, string | null> } = {}) {
    const body = JSON.stringify(content)
    const headers = new Headers(fakeBepaid.webhookSender.headersOf(body))
    for (const [name, value] of Object.entries(change.headers ?? {})) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    return app.app.request(WEBHOOK, { method: 'POST', headers, body: change.body ?? body })
  }

  /** Presses a button of the pay page and waits until the webhooks have arrived. */
  async function press(redirectUrl: string, action: 'pay' | 'bill' | 'decline' | 'cancel'): Promise<string> {
    const token = new URL(redirectUrl).searchParams.get('token') ?? ''
    const response = await fetch(`${fakeBepaid.url}/v2/checkout`, {
      method: 'POST',
      body: new URLSearchParams({ token, action }),
      redirect: 'manual',
    })
    await fakeBepaid.webhookSender.idle()
    return response.headers.get('location') ?? ''
  }

  const control = async (name: string, body: object = {}) => {
    const response = await fetch(`${fakeBepaid.url}/__fake/${name}`, { method: 'POST', body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    await fakeBepaid.webhookSender.idle()
  }

  return {
    ...app,
    fakeBepaid,
    owner,
    notify,
    press,
    control,
    aPlan: (terms: Partial<{ name: string; symbols: number; price: number; position: number }> = {}) =>
      owner.call(plansApi.create, {
        body: { name: `Тариф ${++plansMade}`, symbols: 1000, price: 990, currency: 'BYN', ...terms },
      }),
    aBundle: (terms: Partial<{ symbols: number; price: number }> = {}) =>
      owner.call(bundlesApi.create, {
        body: { name: 'Пакет', symbols: 500, price: 350, currency: 'BYN', ...terms },
      }),
    /** Chooses a plan and pays; returns the gateway's id of the subscription. */
    subscribe: async (person: SignedIn, planId: string): Promise<string> => {
      const { redirect_url } = await person.call(paymentsApi.subscriptionUrl, { query: { planId } })
      const back = await press(redirect_url, 'pay')
      return new URL(back).searchParams.get('id') ?? ''
    },
    buyBundle: async (person: SignedIn, bundleId: string): Promise<string> => {
      const { redirect_url } = await person.call(paymentsApi.bundleUrl, { query: { bundleId } })
      const back = await press(redirect_url, 'pay')
      return new URL(back).searchParams.get('uid') ?? ''
    },
    balance: async (person: SignedIn) => (await person.call(usersApi.me, {})).SingleSubscription,
    ordersOf: (person: SignedIn) => person.call(paymentsApi.orders, {}),
    emailsTo: async (person: SignedIn) => {
      await app.sendEmails()
      return app.outbox.filter(({ to, subject }) => to === person.user.email && !subject.startsWith('Вход'))
    },
  }
}
