import { setTimeout as pause } from 'node:timers/promises'
import type * as z from 'zod'
import { connectionFailure, failureOf } from '#server/lib/failure.ts'
import type { Log } from '#server/lib/log.ts'
import {
  basicAuth,
  type Gateway,
  type GatewayCheckout,
  GatewayError,
  type GatewayMethod,
  type GatewayReceipt,
  type GatewayTransaction,
  type NewBinding,
  type NewCharge,
  type NewCheckout,
  type NewRefund,
  type OwnRenewals,
  outcomeOf,
  type PayPage,
  type Traces,
} from './gateway.ts'
import {
  fromMajor,
  ListOf,
  receiptBody,
  settlementBody,
  toMajor,
  YkAccount,
  YkMethod,
  YkPayment,
  YkReceipt,
  YkRefund,
} from './yookassa-objects.ts'
import type { YookassaSettings } from './yookassa-settings.ts'

/** The service itself gives up after 30 s. */
const TIMEOUT_MS = 32_000
const BUSY_PAUSES_MS = [500, 2000]
const DAY_MS = 86_400_000
/** Our clock and that of the gateway may differ; a payment that is missed here might be made a second time. */
const CLOCKS_MS = DAY_MS
/** A request is repeated for less than a day after its order was written. */
const REPEATED_MS = DAY_MS + CLOCKS_MS
const MAX_PAGES = 1000

export interface Fiscal {
  /** The receipts of a payment or a refund, newest first. */
  receiptsOf: (of: { kind: 'payment' | 'refund'; uid: string }) => Promise<YkReceipt[]>
  /** Sends a receipt again that was rejected or never registered. */
  sendReceipt: (
    of: { kind: 'payment' | 'refund'; uid: string; requestId: string },
    receipt: GatewayReceipt,
  ) => Promise<YkReceipt>
}

export interface Listing {
  /** What the shop allows: test or live, methods, receipts. */
  account: () => Promise<YkAccount>
  /** All payments and refunds that were made since then. */
  transactionsSince: (since: Date) => Promise<GatewayTransaction[]>
}

export type YookassaGateway = Gateway & OwnRenewals & Fiscal & Listing

interface Options {
  log?: Log
  timeoutMs?: number
  busyPausesMs?: number[]
}

interface Request {
  path: string
  body?: object
  key?: string
}

/** ЮKassa over HTTP, API version 3. */
export function createYookassa(settings: YookassaSettings, options: Options = {}): YookassaGateway {
  const credentials = basicAuth(settings.shopId, settings.secretKey)
  const busyPauses = options.busyPausesMs ?? BUSY_PAUSES_MS

  async function send({ path, body, key }: Request): Promise<{ status: number; text: string; headers: Headers }> {
    for (const wait of [...busyPauses, null]) {
      const response = await fetch(`${settings.apiUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: credentials,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotence-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
        redirect: 'error',
      })
      if (response.status === 429 && wait !== null) await pause(wait)
      else return { status: response.status, text: await response.text(), headers: response.headers }
    }
    throw new Error('unreachable')
  }

  /** The parsed answer, or null for «not found». */
  async function ask<T>(schema: z.ZodType<T>, request: Request): Promise<T | null> {
    try {
      const { status, text, headers } = await send(request)
      if (status === 404 && isOwnError(text)) return null
      if (status >= 400)
        throw new GatewayError(outcomeOfStatus(status), failureOf({ status, body: text, headers }), wordsIn(text))
      return schema.parse(JSON.parse(text))
    } catch (error) {
      const gatewayError =
        error instanceof GatewayError ? error : new GatewayError(outcomeOf(error), connectionFailure(error))
      const { words } = gatewayError
      const path = request.path.split('?')[0]
      options.log?.warn({ path, ...(words && { words }), err: gatewayError }, 'payments: gateway request failed')
      throw gatewayError
    }
  }

  async function demand<T>(schema: z.ZodType<T>, request: Request): Promise<T> {
    const answer = await ask(schema, request)
    if (answer === null) throw new GatewayError('refused', { status: 404 })
    return answer
  }

  async function list<T>(schema: z.ZodType<T>, path: string, query: Record<string, string>): Promise<T[]> {
    const items: T[] = []
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES; page++) {
      const search = new URLSearchParams({ limit: '100', ...query, ...(cursor && { cursor }) })
      const found: { items: T[]; next_cursor?: string | null | undefined } = await demand(ListOf(schema), {
        path: `${path}?${search}`,
      })
      items.push(...found.items)
      cursor = found.next_cursor ?? null
      if (!cursor) return items
    }
    // A part of the list would look like payments that were not made.
    throw new GatewayError('unknown')
  }

  const payment = (id: string) => ask(YkPayment, { path: `/payments/${encodeURIComponent(id)}` })

  async function withRefunds(payments: YkPayment[]): Promise<GatewayTransaction[]> {
    const found: GatewayTransaction[] = []
    for (const made of payments) {
      found.push(toTransaction(made))
      if (made.status !== 'succeeded') continue
      const refunds = await list(YkRefund, '/refunds', { payment_id: made.id })
      found.push(...refunds.map((refund) => toRefund(refund, made)))
    }
    return found
  }

  async function traced({ trackingId, token, uid, createdAt }: Traces): Promise<YkPayment[]> {
    const isOfOrder = ({ metadata }: YkPayment) => metadata?.order === trackingId
    const opened = token ? await payment(token) : null
    const known = opened && isOfOrder(opened) ? [opened] : []
    // An administrator may have counted a payment of another order.
    const paid = uid && uid !== token ? await payment(uid) : null
    if (paid) known.push(paid)
    if (known.length > 0) return known
    // Payments cannot be searched by their metadata, so those of its time are read.
    const listed = await list(YkPayment, '/payments', {
      'created_at.gte': new Date(createdAt.getTime() - CLOCKS_MS).toISOString(),
      'created_at.lte': new Date(createdAt.getTime() + REPEATED_MS).toISOString(),
    })
    return listed.filter(isOfOrder)
  }

  async function createPayment(order: NewCheckout): Promise<PayPage> {
    const isQr = order.method === 'sbp'
    const body = {
      ...chargeBody(order),
      confirmation: isQr
        ? { type: 'qr', return_url: order.returnUrl }
        : { type: 'redirect', return_url: order.returnUrl, locale: 'ru_RU' },
      ...(order.method && { payment_method_data: { type: order.method } }),
      ...(order.savesMethod && { save_payment_method: true }),
      merchant_customer_id: order.customer.userId,
      client_ip: order.customer.ip,
    }
    const made = await demand(YkPayment, { path: '/payments', body, key: keyOf(order.trackingId) })
    const { confirmation } = made
    const qr = confirmation?.confirmation_data ?? null
    return { token: made.id, redirect_url: confirmation?.confirmation_url ?? order.returnUrl, qr }
  }

  return {
    createCheckout: createPayment,
    checkout: async (token) => {
      const found = await payment(token)
      return found && toCheckout(found)
    },
    transaction: async (uid) => {
      const found = await payment(uid)
      if (found) return toTransaction(found)
      const refund = await ask(YkRefund, { path: `/refunds/${encodeURIComponent(uid)}` })
      return refund && toRefund(refund)
    },
    transactionsOf: async (order) => withRefunds(await traced(order)),
    refund: async ({ uid, amount, currency, reason, requestId, receipt }: NewRefund) => {
      const body = {
        payment_id: uid,
        amount: toMajor(amount, currency),
        description: reason.slice(0, 250),
        metadata: { request: requestId },
        ...(receipt && { receipt: receiptBody(receipt) }),
      }
      return toRefund(await demand(YkRefund, { path: '/refunds', body, key: requestId }))
    },
    chargeMethod: async (charge: NewCharge) => {
      const body = { ...chargeBody(charge), payment_method_id: charge.token }
      return toTransaction(await demand(YkPayment, { path: '/payments', body, key: keyOf(charge.trackingId) }))
    },
    bindMethod: async ({ kind, requestId, returnUrl, ip }: NewBinding) => {
      const confirmation = { type: kind === 'sbp' ? 'qr' : 'redirect', return_url: returnUrl }
      const body = { type: kind, confirmation, client_ip: ip }
      const made = await demand(YkMethod, { path: '/payment_methods', body, key: requestId })
      const { confirmation_url, confirmation_data } = made.confirmation ?? {}
      return { token: made.id, redirect_url: confirmation_url ?? returnUrl, qr: confirmation_data ?? null }
    },
    boundMethod: async (token) => {
      const found = await ask(YkMethod, { path: `/payment_methods/${encodeURIComponent(token)}` })
      return found?.status === 'active' ? toMethod(found) : null
    },
    receiptsOf: ({ kind, uid }) => list(YkReceipt, '/receipts', { [`${kind}_id`]: uid }),
    sendReceipt: ({ kind, uid, requestId }, receipt) => {
      const body = { type: kind, [`${kind}_id`]: uid, ...settlementBody(receipt) }
      return demand(YkReceipt, { path: '/receipts', body, key: requestId })
    },
    account: () => demand(YkAccount, { path: '/me' }),
    transactionsSince: async (since) => {
      const query = { 'created_at.gte': since.toISOString() }
      const payments = await list(YkPayment, '/payments', query)
      // Also refunds of earlier payments.
      const refunds = await list(YkRefund, '/refunds', query)
      const byId = new Map(payments.map((made) => [made.id, made]))
      return [...payments.map(toTransaction), ...refunds.map((made) => toRefund(made, byId.get(made.payment_id)))]
    },
  }
}

/** The order's id: the same request is carried out once within a day. */
const keyOf = (trackingId: string) => trackingId.slice(trackingId.indexOf(':') + 1)

function chargeBody(order: Pick<NewCheckout, 'trackingId' | 'title' | 'amount' | 'currency' | 'receipt'>) {
  const { trackingId, title, amount, currency, receipt } = order
  return {
    amount: toMajor(amount, currency),
    capture: true,
    description: title.slice(0, 128),
    metadata: { order: trackingId },
    ...(receipt && { receipt: receiptBody(receipt) }),
  }
}

/** A busy gateway has done nothing: the same request is repeated later. */
const outcomeOfStatus = (status: number) =>
  status >= 500 ? 'unknown' : status === 429 || status === 408 ? 'unreachable' : 'refused'

/** The description of a refusal. One that might quote the customer is left out. */
function wordsIn(text: string): string | null {
  const found = /"description"\s*:\s*("(?:[^"\\]|\\.){1,300}")/.exec(text)?.[1]
  const words = found ? (JSON.parse(found) as string) : null
  return words && !/@|\d{5}/.test(words) ? words.slice(0, 200) : null
}

const isOwnError = (text: string) => /"type"\s*:\s*"error"/.test(text)

const statuses: Record<string, string> = { succeeded: 'successful', canceled: 'failed' }
const EXPIRED = 'expired_on_confirmation'

/** In the words of our reports. `untouched`: the payer has not begun. `expired`: they did not pay in time. */
function statusOf({ status, confirmation, cancellation_details }: YkPayment): string {
  if (status === 'pending' && confirmation) return 'untouched'
  return cancellation_details?.reason === EXPIRED ? 'expired' : (statuses[status] ?? 'pending')
}

function toTransaction(made: YkPayment): GatewayTransaction {
  const { id: uid, metadata, test, created_at, captured_at, payment_method, cancellation_details } = made
  const reason = cancellation_details?.reason ?? null
  return {
    uid,
    type: 'payment',
    status: statusOf(made),
    ...fromMajor(made.amount),
    tracking_id: metadata?.order ?? null,
    test: test ?? false,
    created_at,
    paid_at: captured_at ?? null,
    message: reason,
    saved_method: payment_method?.saved ? toMethod(payment_method) : null,
  }
}

function toCheckout(made: YkPayment): GatewayCheckout {
  const { uid: token, status, amount, currency, tracking_id, test } = toTransaction(made)
  const isPaid = status === 'successful' || status === 'failed'
  return {
    token,
    status,
    expired: status === 'expired',
    finished: isPaid,
    test: test ?? false,
    order: { amount, currency, tracking_id },
    gateway_response: isPaid ? { payment: { uid: token, status } } : null,
  }
}

function toRefund(refund: YkRefund, parent?: YkPayment): GatewayTransaction {
  return {
    uid: refund.id,
    type: 'refund',
    status: statuses[refund.status] ?? 'pending',
    ...fromMajor(refund.amount),
    parent_uid: refund.payment_id,
    tracking_id: parent?.metadata?.order ?? null,
    test: parent?.test ?? false,
    created_at: refund.created_at,
    message: refund.cancellation_details?.reason ?? null,
    request_id: refund.metadata?.request ?? null,
  }
}

const toMethod = ({ id, type, card }: Pick<YkMethod, 'id' | 'type' | 'card'>): GatewayMethod => ({
  token: id,
  kind: type,
  last_4: card?.last4 ?? null,
  brand: card?.card_type ?? null,
})
