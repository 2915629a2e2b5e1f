import * as z from 'zod'

/** Requests that the fake accepts, as strict as ЮKassa where our code could be wrong. */

const Amount = z.strictObject({ value: z.string().regex(/^\d+\.\d{2}$/), currency: z.string().length(3) })
const Metadata = z.record(z.string().max(32), z.string().max(512)).default({})
const Confirmation = z.object({
  type: z.enum(['redirect', 'qr']),
  return_url: z.url().max(2048).optional(),
  locale: z.string().optional(),
})

const Receipt = z.object({
  customer: z.object({ email: z.email() }),
  items: z
    .array(
      z.object({
        description: z.string().min(1).max(128),
        amount: Amount,
        quantity: z.number().min(0.001),
        measure: z.string(),
        vat_code: z.int().min(1).max(12),
        payment_subject: z.string(),
        payment_mode: z.string(),
      }),
    )
    .min(1)
    .max(80),
  tax_system_code: z.int().min(1).max(6).optional(),
})

export const PaymentBody = z.object({
  amount: Amount,
  capture: z.literal(true),
  description: z.string().min(1).max(128),
  confirmation: Confirmation.optional(),
  payment_method_data: z.object({ type: z.string() }).optional(),
  payment_method_id: z.string().optional(),
  save_payment_method: z.boolean().optional(),
  metadata: Metadata,
  receipt: Receipt.optional(),
})
export type PaymentBody = z.infer<typeof PaymentBody>

export const RefundBody = z.object({
  payment_id: z.string(),
  amount: Amount,
  description: z.string().max(250).default(''),
  metadata: Metadata,
  receipt: Receipt.optional(),
})

export const MethodBody = z.object({ type: z.enum(['bank_card', 'sbp']), confirmation: Confirmation })

export const ReceiptBody = Receipt.extend({
  type: z.enum(['payment', 'refund']),
  payment_id: z.string().optional(),
  refund_id: z.string().optional(),
  send: z.literal(true),
  settlements: z.array(z.object({ type: z.string(), amount: Amount })).min(1),
})
