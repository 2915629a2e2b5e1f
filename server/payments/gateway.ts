import * as z from 'zod'
import { AppError } from '#server/lib/errors.ts'
import type { Failure } from '#server/lib/failure.ts'

/** Responses of the gateway in its own field names; only the fields that we read. */

const optionalText = z.string().nullish()
const optionalDate = z.coerce.date().nullish()
const Card = z.object({ last_4: optionalText, brand: optionalText, token: optionalText }).nullish()

export const GatewayMethod = z.object({
  token: z.string().min(1),
  kind: z.string().min(1),
  last_4: optionalText,
  brand: optionalText,
})
export type GatewayMethod = z.infer<typeof GatewayMethod>

export const GatewayTransaction = z.object({
  uid: z.string().min(1),
  type: z.string(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  tracking_id: optionalText,
  parent_uid: optionalText,
  test: z.boolean().nullish(),
  created_at: optionalDate,
  paid_at: optionalDate,
  receipt_url: optionalText,
  message: optionalText,
  payment: z.object({ bank_code: optionalText, message: optionalText }).nullish(),
  credit_card: Card,
  /** A method that may be charged again without the payer; its token is the gateway's id of it. */
  saved_method: GatewayMethod.nullish(),
  /** Our id of the request that made a refund. */
  request_id: optionalText,
})
export type GatewayTransaction = z.infer<typeof GatewayTransaction>

const Terms = z.object({ amount: z.int().nullish() })

export const GatewaySubscription = z.object({
  id: z.string().min(1),
  state: z.string().min(1),
  tracking_id: optionalText,
  created_at: optionalDate,
  active_to: optionalDate,
  renew_at: optionalDate,
  paid_billing_cycles: z.int().nullish(),
  card: Card,
  customer: z.object({ id: optionalText }).nullish(),
  plan: z.object({ currency: z.string(), test: z.boolean().nullish(), plan: Terms, trial: Terms.nullish() }),
  last_transaction: z
    .object({ uid: z.string().min(1), status: z.string(), message: optionalText, created_at: optionalDate })
    .nullish(),
})
export type GatewaySubscription = z.infer<typeof GatewaySubscription>

/** The state of a payment token. */
export const GatewayCheckout = z.object({
  token: z.string().min(1),
  status: optionalText,
  expired: z.boolean().nullish(),
  finished: z.boolean().nullish(),
  test: z.boolean().nullish(),
  order: z.object({ amount: z.int(), currency: z.string(), tracking_id: optionalText }),
  gateway_response: z.object({ payment: z.object({ uid: z.string().min(1), status: z.string() }).nullish() }).nullish(),
})
export type GatewayCheckout = z.infer<typeof GatewayCheckout>

export interface Customer {
  userId: string
  email: string
  ip: string
}

export interface NewSubscription {
  trackingId: string
  title: string
  /** Minor units. */
  price: number
  currency: string
  intervalDays: number
  /** The price of the first period, if it differs. */
  firstPrice: number | null
  customer: Customer
  returnUrl: string
  notificationUrl: string
}

export interface NewCheckout {
  trackingId: string
  title: string
  amount: number
  currency: string
  expiresAt: Date
  customer: Customer
  returnUrl: string
  notificationUrl: string
  /** How it is paid; null leaves the choice to the payer. Only where our own pages offer methods. */
  method?: string | null
  /** Whether the method is saved for renewals that we charge. */
  savesMethod?: boolean
  receipt?: GatewayReceipt | null
}

/** What a fiscal receipt says; the gateway registers it. */
export interface GatewayReceipt {
  email: string
  title: string
  amount: number
  currency: string
  vatCode: number
  taxSystem: number | null
  subject: string
  mode: string
}

/** A subscription that is charged at once, with a card that the gateway knows from an earlier one. */
export interface NewCardSubscription extends Omit<NewSubscription, 'customer' | 'returnUrl' | 'firstPrice'> {
  cardToken: string
  customerId: string | null
}

export interface PayPage {
  token: string
  redirect_url: string
  /** The text of a QR code; the payer then stays on our page. */
  qr?: string | null
}

/** What is known of an order when its payments are looked for. */
export interface Traces {
  trackingId: string
  /** Of its pay page; null when the answer to the request that opened it was lost. */
  token: string | null
  /** Of the payment that paid it. */
  uid?: string | null
  createdAt: Date
}

export interface NewRefund {
  uid: string
  amount: number
  currency: string
  reason: string
  requestId: string
  receipt?: GatewayReceipt | null
}

/** What every payment gateway can do. Null means that the gateway does not know the object. */
export interface Gateway {
  createCheckout: (order: NewCheckout) => Promise<PayPage>
  /** The state of a pay page that is not paid. */
  checkout: (token: string) => Promise<GatewayCheckout | null>
  /** A payment, a refund or a chargeback. */
  transaction: (uid: string) => Promise<GatewayTransaction | null>
  /** The payments and reversals of an order; bePaid gives at most the last ten. */
  transactionsOf: (order: Traces) => Promise<GatewayTransaction[]>
  /** Idempotent by `requestId`. */
  refund: (refund: NewRefund) => Promise<GatewayTransaction>
}

/** Subscriptions that the gateway charges by itself. */
export interface GatewaySubscriptions {
  createSubscription: (order: NewSubscription) => Promise<PayPage & { id: string }>
  /** The card may be declined, or the bank may want the payer to confirm: the state says so. */
  subscribeWithCard: (order: NewCardSubscription) => Promise<GatewaySubscription>
  subscription: (id: string) => Promise<GatewaySubscription | null>
  cancelSubscription: (id: string, reason: string) => Promise<GatewaySubscription | null>
  /** Pages are counted from 1; the page after the last is empty. */
  subscriptionsPage: (page: number) => Promise<GatewaySubscription[]>
}

/** A charge of a saved method without the payer, once per tracking id. */
export type NewCharge = Pick<NewCheckout, 'trackingId' | 'title' | 'amount' | 'currency' | 'receipt'> & {
  token: string
}

/** Renewals that we charge ourselves, by our own schedule. */
export interface OwnRenewals {
  chargeMethod: (charge: NewCharge) => Promise<GatewayTransaction>
  /** Saves a method without a payment: the payer confirms it on a page or by a QR code. */
  bindMethod: (binding: NewBinding) => Promise<PayPage>
  /** Null while it is not confirmed. */
  boundMethod: (token: string) => Promise<GatewayMethod | null>
}

export interface NewBinding {
  kind: 'bank_card' | 'sbp'
  requestId: string
  returnUrl: string
  ip: string
}

export type VerifyWebhook = (body: Buffer, headers: Headers) => boolean

type Outcome = 'refused' | 'unreachable' | 'unknown'

/**
 * A request to the gateway failed. `unknown` means that it may have been carried out: there was no answer, or an
 * unreadable one.
 */
export class GatewayError extends AppError {
  readonly outcome: Outcome
  /** Without the answer, which quotes the customer. */
  readonly failure: Failure
  /** Why it refused, in its own words, where they name no customer. */
  readonly words: string | null

  constructor(outcome: Outcome, failure: Failure = {}, words: string | null = null) {
    super(
      'unavailable',
      outcome === 'refused'
        ? 'Платёжная система отклонила запрос. Попробуйте позже, а если не поможет, напишите в поддержку.'
        : 'Платёжная система не отвечает. Попробуйте ещё раз через минуту.',
    )
    this.outcome = outcome
    this.failure = failure
    this.words = words
  }
}

/** Nothing was done, and repeating does not help. Wrong credentials are no refusal: they are corrected. */
export function isFinalRefusal(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.outcome !== 'refused') return false
  const { status } = error.failure
  return status !== undefined && status !== 401 && status !== 403
}

/** A request that never connected was surely not carried out. */
export function outcomeOf(error: unknown): 'unreachable' | 'unknown' {
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code)
    ? 'unreachable'
    : 'unknown'
}

/** Both gateways know a shop by its number and key. */
export function basicAuth(shopId: string, secretKey: string): string {
  return `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
}
