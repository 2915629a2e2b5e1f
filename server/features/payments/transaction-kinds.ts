import type { GatewayTransaction } from '#server/payments/gateway.ts'
import { reject } from './deps.ts'

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
      `операция вида «${type}» нам не знакома. Посмотрите её в кабинете bePaid: если это оплата, зачтите её за заказ вручную`,
    )
  }
  if (kind === 'none') {
    throw reject(`операция вида «${type}» не оплата. Посмотрите её в кабинете bePaid и отметьте разобранной`)
  }
}
