import type { AwaitedOrder } from '#contract/payments.ts'

/** The order id in the return URL. The gateway may append its own parameters after a second «?». */
export function readPayment(search: string): string | null {
  return /^[\w-]{1,64}/.exec(new URLSearchParams(search).get('payment') ?? '')?.[0] ?? null
}

/** Whether the address says that the payer pressed «cancel». Only a hint: anyone can write an address. */
export function isMarkedCanceled(search: string): boolean {
  return new URLSearchParams(search).get('status') === 'canceled'
}

export type PaymentOutcome =
  | 'waiting'
  | 'canceled'
  | 'unfinished'
  | 'late'
  | 'silent'
  | 'paid'
  | 'declined'
  | 'expired'
  | 'returned'
  | 'review'
  | 'reviewed'
  | 'unknown'

/** Time since the return: the gateway may need a moment to notice a payment, and after a while polling stops. */
export type WaitStage = 'fresh' | 'settled' | 'over'

interface PaymentFacts {
  order: (Pick<AwaitedOrder, 'status' | 'progress'> & Partial<Pick<AwaitedOrder, 'review'>>) | undefined
  isUnknown: boolean
  waitStage: WaitStage
  isMarkedCanceled: boolean
}

/** The text about money comes from the order alone; the address only shortens the wait for it. */
export function paymentOutcome({ order, isUnknown, waitStage, isMarkedCanceled }: PaymentFacts): PaymentOutcome {
  if (isUnknown) return 'unknown'
  // Money has come, whatever the order says.
  if (order?.review) return order.review.isOver ? 'reviewed' : 'review'
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
  }
  if (order?.progress === 'untouched') {
    if (isMarkedCanceled) return 'canceled'
    if (waitStage !== 'fresh') return 'unfinished'
  }
  if (waitStage !== 'over') return 'waiting'
  return order?.progress === 'processing' ? 'late' : 'silent'
}
