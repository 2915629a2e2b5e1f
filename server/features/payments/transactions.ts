import type { DeclineReason } from '#contract/payments.ts'
import type { GatewayMethod, GatewayTransaction } from '#server/payments/gateway.ts'
import { declineReasonOf } from './decline-reason.ts'
import { reject } from './deps.ts'
import { MASK } from './mask-body.ts'

/** `none`: no money was charged. `unknown`: a type that this code does not know. */
type TransactionKind = 'payment' | 'refund' | 'chargeback' | 'none' | 'unknown'

const kinds = new Map<string, TransactionKind>([
  ...['payment', 'charge', 'capture', 'recurring', 'recurring_payment', 'rebill', 'sale', 'purchase'].map(
    (type) => [type, 'payment'] as const,
  ),
  ['refund', 'refund'],
  ['chargeback', 'chargeback'],
  ...['authorization', 'tokenization', 'verification', 'check', 'void', 'credit', 'payout'].map(
    (type) => [type, 'none'] as const,
  ),
])

export const kindOf = (type: string): TransactionKind => kinds.get(type.toLowerCase()) ?? 'unknown'

/** Money may have moved in a way that cannot be applied automatically: an administrator must decide. */
export function rejectUnknownKind({ type, status }: Pick<GatewayTransaction, 'type' | 'status'>): void {
  if (status !== 'successful') return
  const kind = kindOf(type)
  if (kind === 'unknown') {
    throw reject(
      `операция вида «${type}» нам не знакома. Посмотрите её в кабинете платёжной системы: если это оплата, зачтите её за заказ вручную`,
    )
  }
  if (kind === 'none') {
    throw reject(`операция вида «${type}» не оплата. Посмотрите её в кабинете платёжной системы и отметьте разобранной`)
  }
}

/** A charge reported by the gateway, successful or declined. */
export interface Payment {
  uid: string
  successful: boolean
  amount: number
  currency: string
  test: boolean
  paidAt: Date
  receiptUrl: string | null
  declineReason: DeclineReason | null
  /** To be stored for renewals. */
  method: GatewayMethod | null
}

/** Null for other kinds of transactions, and while the payment is neither successful nor declined. */
export function paymentIn(transaction: GatewayTransaction): Payment | null {
  return kindOf(transaction.type) === 'payment' ? asPayment(transaction) : null
}

/** Also accepts an unknown kind of transaction, once an administrator has decided that it is a payment. */
export function confirmedPayment(transaction: GatewayTransaction): Payment | null {
  return kindOf(transaction.type) === 'unknown' ? asPayment(transaction) : paymentIn(transaction)
}

const unfinished = ['incomplete', 'pending', 'untouched']

function asPayment(transaction: GatewayTransaction): Payment | null {
  const { uid, status, amount, currency, test, paid_at, created_at, receipt_url, saved_method } = transaction
  if (unfinished.includes(status)) return null
  return {
    uid,
    successful: status === 'successful',
    amount,
    currency,
    test: test ?? false,
    paidAt: paid_at ?? created_at ?? new Date(),
    receiptUrl: receipt_url ?? null,
    declineReason: status === 'successful' ? null : declineReasonOf(transaction),
    // A stored report has no token any more.
    method: saved_method && !saved_method.token.includes(MASK) ? saved_method : null,
  }
}
