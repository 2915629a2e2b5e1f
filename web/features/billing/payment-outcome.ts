import type { Order } from '#contract/payments.ts'

/** The order id in the return URL. The gateway may append its own parameters after a second «?». */
export function readPayment(search: string): string | null {
  return /^[\w-]{1,64}/.exec(new URLSearchParams(search).get('payment') ?? '')?.[0] ?? null
}

export type PaymentOutcome = 'waiting' | 'late' | 'paid' | 'declined' | 'expired' | 'returned' | 'unknown'

interface Seen {
  order: Pick<Order, 'status'> | undefined
  /** The user has no such order. */
  isUnknown: boolean
  /** The polling time is over. */
  isLate: boolean
}

export function paymentOutcome({ order, isUnknown, isLate }: Seen): PaymentOutcome {
  if (isUnknown) return 'unknown'
  switch (order?.status) {
    case 'paid':
      return 'paid'
    case 'failed':
      return 'declined'
    case 'expired':
      return 'expired'
    case 'refunded':
    case 'charged_back':
      return 'returned'
    default:
      return isLate ? 'late' : 'waiting'
  }
}
