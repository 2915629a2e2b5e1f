import { expect } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { usersApi } from '#contract/users.ts'
import { reconcile } from '#server/features/billing/invariants.ts'
import { createBepaid } from '#server/payments/bepaid.ts'
import type { Gateway } from '#server/payments/gateway.ts'
import { createSignatureCheck } from '#server/payments/signature.ts'
import { startStandIn } from '#server/payments/stand-in/stand-in.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'

export type PaidWorld = Awaited<ReturnType<typeof startPaidWorld>>

interface PaidWorldOptions {
  /** Whether payments with test cards count. */
  test?: boolean
  gateway?: (real: Gateway) => Gateway
  trustedProxies?: number
}

/** Short where an answer will not come, long where it comes late on a busy machine. */
const SILENT_MS = 500
const PATIENT_MS = 30_000
const WEBHOOK = '/api/bepaid/webhook'

/** The whole server with the stand-in of the gateway beside it: asked over HTTP, its notices handed to the app. */
export async function startPaidWorld(options: PaidWorldOptions = {}) {
  let world: TestApp
  const standIn = await startStandIn({
    port: 0,
    shopId: '361',
    secretKey: 'a secret',
    retryPausesMs: [],
    send: async (url, init) => world.app.request(new URL(url).pathname, init),
  })
  const real = createBepaid(standIn.settings, {
    get timeoutMs() {
      return standIn.silence.count > 0 ? SILENT_MS : PATIENT_MS
    },
  })
  world = await startTestApp({
    startSymbols: 0,
    trustedProxies: options.trustedProxies ?? 0,
    shop: {
      gateway: options.gateway?.(real) ?? real,
      isGenuine: createSignatureCheck(standIn.settings),
      test: options.test ?? true,
    },
  })
  const owner = await world.signIn('owner@example.test')
  let plansMade = 0

  /** Genuine news, whatever it says, with changes to how it is sent. */
  async function notify(content: object, change: { body?: string; headers?: Record<string, string | null> } = {}) {
    const body = JSON.stringify(content)
    const headers = new Headers(standIn.postman.headersOf(body))
    for (const [name, value] of Object.entries(change.headers ?? {})) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    return world.app.request(WEBHOOK, { method: 'POST', headers, body: change.body ?? body })
  }

  /** What a person does on the pay page; ends when the gateway's notices have arrived. */
  async function press(redirectUrl: string, act: 'pay' | 'decline' | 'cancel'): Promise<string> {
    const token = new URL(redirectUrl).searchParams.get('token') ?? ''
    const response = await fetch(`${standIn.url}/v2/checkout`, {
      method: 'POST',
      body: new URLSearchParams({ token, act }),
      redirect: 'manual',
    })
    await standIn.postman.idle()
    return response.headers.get('location') ?? ''
  }

  const control = async (name: string, body: object = {}) => {
    const response = await fetch(`${standIn.url}/__fake/${name}`, { method: 'POST', body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    await standIn.postman.idle()
  }

  return {
    ...world,
    standIn,
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
    /** Chooses a plan and pays; says what the gateway calls the subscription. */
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
    lettersTo: async (person: SignedIn) => {
      await world.sendEmails()
      return world.outbox.filter(({ to, subject }) => to === person.user.email && !subject.startsWith('Вход'))
    },
    /** The books hold after every test. */
    expectCleanBooks: async () => expect(await reconcile(world.db)).toEqual([]),
    close: async () => {
      await standIn.close()
      await world.close()
    },
  }
}
