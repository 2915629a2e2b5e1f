import * as z from 'zod'
import type { GatewayReceipt } from './gateway.ts'

/** Objects of ЮKassa in its own field names; only the fields that we read. */

const optionalText = z.string().nullish()
const Amount = z.object({ value: z.string().regex(/^\d{1,12}\.\d{2}$/), currency: z.string() })
const Reason = z.object({ party: optionalText, reason: z.string() }).nullish()
const Metadata = z.record(z.string(), z.string()).nullish()
const Card = z.object({ last4: optionalText, card_type: optionalText }).nullish()
const Confirmation = z.object({ confirmation_url: optionalText, confirmation_data: optionalText }).nullish()

export const YkPayment = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: Amount,
  test: z.boolean().nullish(),
  created_at: z.coerce.date(),
  captured_at: z.coerce.date().nullish(),
  metadata: Metadata,
  confirmation: Confirmation,
  payment_method: z.object({ id: z.string(), type: z.string(), saved: z.boolean().nullish(), card: Card }).nullish(),
  cancellation_details: Reason,
})
export type YkPayment = z.infer<typeof YkPayment>

export const YkRefund = z.object({
  id: z.string().min(1),
  payment_id: z.string(),
  status: z.string(),
  amount: Amount,
  created_at: z.coerce.date(),
  metadata: Metadata,
  cancellation_details: Reason,
})
export type YkRefund = z.infer<typeof YkRefund>

export const YkMethod = z.object({
  id: z.string().min(1),
  type: z.string(),
  status: z.string(),
  card: Card,
  confirmation: Confirmation,
})
export type YkMethod = z.infer<typeof YkMethod>

export const YkReceipt = z.object({
  id: z.string().min(1),
  status: z.string(),
  registered_at: z.coerce.date().nullish(),
  fiscal_storage_number: optionalText,
  fiscal_document_number: optionalText,
  fiscal_attribute: optionalText,
})
export type YkReceipt = z.infer<typeof YkReceipt>

export const YkAccount = z.object({
  account_id: z.string(),
  status: z.string().nullish(),
  test: z.boolean(),
  fiscalization: z.object({ enabled: z.boolean(), provider: optionalText }).nullish(),
  payment_methods: z.array(z.string()).default([]),
})
export type YkAccount = z.infer<typeof YkAccount>

export const ListOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: optionalText })

/** Whole numbers only: a sum is never a fraction in binary. */
export function toMajor(amount: number, currency: string) {
  const minor = String(amount % 100).padStart(2, '0')
  return { value: `${Math.floor(amount / 100)}.${minor}`, currency }
}

export function fromMajor({ value, currency }: z.infer<typeof Amount>) {
  return { amount: Number(value.replace('.', '')), currency }
}

function itemsOf({ title, amount, currency, vatCode, subject, mode }: GatewayReceipt) {
  return [
    {
      description: title.slice(0, 128),
      amount: toMajor(amount, currency),
      quantity: 1,
      measure: 'piece',
      vat_code: vatCode,
      payment_subject: subject,
      payment_mode: mode,
    },
  ]
}

export function receiptBody(receipt: GatewayReceipt) {
  const { email, taxSystem } = receipt
  return {
    customer: { email },
    items: itemsOf(receipt),
    internet: true,
    ...(taxSystem !== null && { tax_system_code: taxSystem }),
  }
}

/** A receipt of its own, after the payment. */
export function settlementBody(receipt: GatewayReceipt) {
  const { amount, currency } = receipt
  return {
    ...receiptBody(receipt),
    send: true,
    settlements: [{ type: 'cashless', amount: toMajor(amount, currency) }],
  }
}
