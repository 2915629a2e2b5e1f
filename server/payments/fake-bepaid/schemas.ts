import * as z from 'zod'

/** Requests that the fake accepts, as strict as the gateway where our code could be wrong. */

const Amount = z.int().min(1)
const Terms = z.object({ amount: Amount, interval: z.int().min(1), interval_unit: z.enum(['hour', 'day', 'month']) })
const Customer = z.looseObject({ email: z.string().optional() }).default({})

export const SubscriptionBody = z.object({
  plan: z.object({
    title: z.string().min(1),
    currency: z.string().length(3),
    test: z.boolean().default(false),
    plan: Terms,
    trial: Terms.optional(),
  }),
  customer: Customer,
  tracking_id: z.string().min(1).max(255),
  return_url: z.url().optional(),
  notification_url: z.url(),
  /** A card of an earlier subscription: charged at once, without a page. */
  card: z.object({ token: z.string().min(1) }).optional(),
})
export type SubscriptionBody = z.infer<typeof SubscriptionBody>

export const CheckoutBody = z.object({
  checkout: z.object({
    transaction_type: z.literal('payment'),
    test: z.boolean().default(false),
    order: z.object({
      amount: Amount,
      currency: z.string().length(3),
      description: z.string().min(1),
      tracking_id: z.string().min(1).max(255),
      expired_at: z.iso.datetime({ offset: true }).optional(),
    }),
    settings: z.object({
      success_url: z.url(),
      decline_url: z.url(),
      fail_url: z.url(),
      cancel_url: z.url(),
      notification_url: z.url(),
    }),
    payment_method: z
      .object({
        types: z.array(z.string()).min(1).optional(),
        erip: z.object({ order_id: z.int().max(999_999_999_999), account_number: z.string().min(1) }).optional(),
      })
      .default({}),
    customer: Customer,
  }),
})
export type CheckoutBody = z.infer<typeof CheckoutBody>

export const RefundBody = z.object({
  request: z.object({ parent_uid: z.string(), amount: Amount, reason: z.string().min(1).max(255) }),
})

export interface Transaction {
  uid: string
  id: string
  /** `payment`, `refund`, `chargeback`, or the type a test has set. */
  type: string
  /** A bill is `pending` until the payer has paid it at the bank. */
  status: 'successful' | 'failed' | 'pending'
  amount: number
  currency: string
  description: string
  tracking_id: string
  parent_uid?: string
  reason?: string
  message: string
  test: boolean
  created_at: string
  paid_at: string | null
  payment_method_type: 'credit_card' | 'erip'
  credit_card?: typeof card
  receipt_url: string
  payment: { status: string; bank_code?: string }
}

export interface Subscription {
  id: string
  state: string
  tracking_id: string
  created_at: string
  renew_at: string | null
  active_to: string | null
  paid_billing_cycles: number
  number_failed_payment_attempts: number
  card: (typeof card & { token: string }) | Record<string, never>
  customer: object
  plan: SubscriptionBody['plan']
  last_transaction: { uid: string; status: string; message: string; created_at: string } | null
  cancel_reason?: string
  cancelled_at?: string
}

export interface Checkout {
  token: string
  body: CheckoutBody['checkout']
  status: 'successful' | 'failed' | 'pending' | 'incomplete' | 'expired'
  payment: Transaction | null
}

export const card = { holder: 'IVAN IVANOV', brand: 'visa', last_4: '0000', first_1: '4', exp_month: 1, exp_year: 2030 }
