import { createHash, type KeyObject, verify } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { connectionFailure, failureOf } from '#server/lib/failure.ts'
import type { Log } from '#server/lib/log.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import { type BepaidSettings, importPublicKey } from './bepaid-settings.ts'
import {
  basicAuth,
  type Gateway,
  GatewayCheckout,
  GatewayError,
  GatewaySubscription,
  type GatewaySubscriptions,
  GatewayTransaction,
  type NewCardSubscription,
  type NewCheckout,
  type NewSubscription,
  outcomeOf,
  type VerifyWebhook,
} from './gateway.ts'

const TIMEOUT_MS = 25_000
/** Pauses before the retries of a 429 response. */
const BUSY_PAUSES_MS = [500, 2000]

interface Options {
  log?: Log
  timeoutMs?: number
  busyPausesMs?: number[]
}

interface Request {
  url: string
  body?: object
  headers?: Record<string, string>
}

const CreatedSubscription = z.object({ id: z.string(), token: z.string(), redirect_url: z.url() })
const CreatedCheckout = z.object({ checkout: z.object({ token: z.string(), redirect_url: z.url() }) })
const SomeSubscriptions = z.object({ subscriptions: z.array(GatewaySubscription) })
const OneTransaction = z.object({ transaction: GatewayTransaction })
const SomeTransactions = z.union([
  z.array(OneTransaction).transform((found) => found.map(({ transaction }) => transaction)),
  z.object({ transactions: z.array(GatewayTransaction) }).transform(({ transactions }) => transactions),
  OneTransaction.transform(({ transaction }) => [transaction]),
])

export type BepaidGateway = Gateway & GatewaySubscriptions

/** bePaid over HTTP, see its API documentation; deviations from it are commented here. */
export function createBepaid(settings: BepaidSettings, options: Options = {}): BepaidGateway {
  const { apiUrl, checkoutUrl, gatewayUrl } = settings
  const credentials = basicAuth(settings.shopId, settings.secretKey)
  const busyPauses = options.busyPausesMs ?? BUSY_PAUSES_MS

  async function send({ url, body, headers }: Request): Promise<Response> {
    return fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: credentials,
        accept: 'application/json',
        // The gateway rejects a GET with a content type.
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
      redirect: 'error',
    })
  }

  async function sendWithRetry(request: Request): Promise<{ status: number; text: string; headers: Headers }> {
    for (const wait of [...busyPauses, null]) {
      const response = await send(request)
      if (response.status === 429 && wait !== null) await pause(wait)
      else return { status: response.status, text: await response.text(), headers: response.headers }
    }
    throw new Error('unreachable')
  }

  /** The parsed response, or null for «not found». */
  async function ask<T>(schema: z.ZodType<T>, request: Request): Promise<T | null> {
    try {
      const { status, text, headers } = await sendWithRetry(request)
      if (isNotFound(status, text)) return null
      if (status >= 400) {
        throw new GatewayError(status >= 500 ? 'unknown' : 'refused', failureOf({ status, body: text, headers }))
      }
      return schema.parse(JSON.parse(text))
    } catch (error) {
      const gatewayError =
        error instanceof GatewayError ? error : new GatewayError(outcomeOf(error), connectionFailure(error))
      options.log?.warn({ url: withoutToken(request.url), err: gatewayError }, 'payments: gateway request failed')
      throw gatewayError
    }
  }

  async function demand<T>(schema: z.ZodType<T>, request: Request): Promise<T> {
    const answer = await ask(schema, request)
    if (answer === null) throw new GatewayError('refused', { status: 404 })
    return answer
  }

  return {
    createSubscription: (order) =>
      demand(CreatedSubscription, { url: `${apiUrl}/subscriptions`, body: subscriptionBody(settings, order) }),
    subscribeWithCard: (order) =>
      demand(GatewaySubscription, { url: `${apiUrl}/subscriptions`, body: cardSubscriptionBody(settings, order) }),
    subscription: (id) => ask(GatewaySubscription, { url: `${apiUrl}/subscriptions/${encodeURIComponent(id)}` }),
    cancelSubscription: (id, reason) =>
      ask(GatewaySubscription, {
        url: `${apiUrl}/subscriptions/${encodeURIComponent(id)}/cancel`,
        body: { cancel_reason: reason },
      }),
    createCheckout: async (order) => {
      const body = { checkout: checkoutBody(settings, order) }
      const headers = { 'x-api-version': '2' }
      return (await demand(CreatedCheckout, { url: `${checkoutUrl}/ctp/api/checkouts`, body, headers })).checkout
    },
    checkout: async (token) => {
      const schema = z.object({ checkout: GatewayCheckout })
      const url = `${checkoutUrl}/ctp/api/checkouts/${encodeURIComponent(token)}`
      return (await ask(schema, { url, headers: { 'x-api-version': '2' } }))?.checkout ?? null
    },
    refund: async ({ uid, amount, reason, requestId }) => {
      const body = { request: { parent_uid: uid, amount, reason } }
      const headers = { requestid: requestId }
      return (await demand(OneTransaction, { url: `${gatewayUrl}/transactions/refunds`, body, headers })).transaction
    },
    transaction: async (uid) => {
      const url = `${gatewayUrl}/transactions/${encodeURIComponent(uid)}`
      return (await ask(OneTransaction, { url }))?.transaction ?? null
    },
    transactionsOf: async ({ trackingId }) => {
      const url = `${gatewayUrl}/v2/transactions/tracking_id/${encodeURIComponent(trackingId)}`
      return (await ask(SomeTransactions, { url })) ?? []
    },
    subscriptionsPage: async (page) => {
      const query = new URLSearchParams({ shop_id: settings.shopId, per_page: '100', page: String(page) })
      return (await demand(SomeSubscriptions, { url: `${apiUrl}/subscriptions?${query}` })).subscriptions
    },
  }
}

const NotFound = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ response: z.object({ message: z.string() }) }).transform(({ response }) => response.message),
])

/**
 * Only the gateway's own error message counts: a proxy or a wrong URL answers 404 to everything, and a title or a
 * description of an order may contain the same text.
 */
function isNotFound(status: number, text: string): boolean {
  if (status >= 500) return false
  const message = NotFound.safeParse(jsonIn(text))
  if (!message.success) return false
  return status === 404 || /^record not found\.?$/i.test(message.data.trim())
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Only cards can be charged again without the payer, so only cards are offered. */
function subscriptionBody(settings: BepaidSettings, order: NewSubscription) {
  const { plan, ...rest } = planBody(settings, order)
  const trial = order.firstPrice !== null && { ...plan, amount: order.firstPrice, as_first_payment: false }
  return {
    plan: { ...rest, plan, ...(trial && { trial }) },
    customer: customerBody(order),
    tracking_id: order.trackingId,
    return_url: order.returnUrl,
    notification_url: order.notificationUrl,
    settings: { language: 'ru', payment_method: { types: ['credit_card'] } },
  }
}

function cardSubscriptionBody(settings: BepaidSettings, order: NewCardSubscription) {
  return {
    plan: planBody(settings, order),
    card: { token: order.cardToken },
    ...(order.customerId && { customer: { id: order.customerId } }),
    tracking_id: order.trackingId,
    notification_url: order.notificationUrl,
    settings: { language: 'ru' },
  }
}

function planBody({ shopId, test }: BepaidSettings, order: NewSubscription | NewCardSubscription) {
  const { title, currency, price, intervalDays } = order
  const plan = { amount: price, interval: intervalDays, interval_unit: 'day' }
  return { shop_id: shopId, test, title, currency, infinite: true, plan }
}

function checkoutBody({ test, methods }: BepaidSettings, order: NewCheckout) {
  return {
    transaction_type: 'payment',
    test,
    attempts: 3,
    iframe: false,
    order: {
      amount: order.amount,
      currency: order.currency,
      description: order.title,
      tracking_id: order.trackingId,
      expired_at: order.expiresAt.toISOString(),
      additional_data: { receipt_text: [order.title] },
    },
    settings: {
      success_url: order.returnUrl,
      decline_url: order.returnUrl,
      fail_url: order.returnUrl,
      cancel_url: canceledUrl(order.returnUrl),
      notification_url: order.notificationUrl,
      language: 'ru',
      auto_return: '3',
      button_next_text: 'Вернуться',
    },
    payment_method: {
      ...(methods && { types: methods }),
      ...((!methods || methods.includes('erip')) && { erip: eripBody(order) }),
    },
    customer: customerBody(order),
  }
}

/** ЕРИП finds a bill by a number of at most twelve digits, so one is derived from the order. */
function eripBody({ trackingId, title }: NewCheckout) {
  const hash = createHash('sha256').update(trackingId).digest()
  const number = Number(hash.readBigUInt64BE() % 1_000_000_000_000n)
  return { order_id: number, account_number: String(number), service_info: [title] }
}

/** The gateway appends the status to the other return addresses itself. */
function canceledUrl(returnUrl: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('status', 'canceled')
  return url.href
}

function customerBody({ customer }: NewSubscription | NewCheckout) {
  return { email: customer.email, ip: customer.ip, external_id: customer.userId }
}

/** A token opens its pay page, so it is not logged. */
const withoutToken = (url: string) => url.replace(/[0-9a-f]{32,}/g, '…')

/**
 * With a public key the signature must match the raw bytes, and credentials, if sent, must be ours. Without a key the
 * credentials alone decide.
 */
export function createSignatureCheck(settings: BepaidSettings): VerifyWebhook {
  const credentials = basicAuth(settings.shopId, settings.secretKey)
  let key: KeyObject | null = null
  return (body, headers) => {
    // Imported with the first webhook, because the fake gateway creates its key only then.
    if (!key && settings.publicKey) key = importPublicKey(settings.publicKey)
    const given = headers.get('authorization')
    const isOurs = given !== null && isSameSecret(given, credentials)
    if (!key) return isOurs
    const signature = Buffer.from(headers.get('content-signature') ?? '', 'base64')
    return verify('sha256', body, key, signature) && (given === null || isOurs)
  }
}
