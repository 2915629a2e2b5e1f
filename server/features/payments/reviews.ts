import { and, arrayOverlaps, asc, isNotNull } from 'drizzle-orm'
import type { Order } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { paymentEvents } from '#server/db/schema.ts'
import { type Report, readReport } from './reports.ts'

/** Payments that arrived for an order and could not be counted: a person has to decide, and the buyer is told. */

type Review = NonNullable<Order['review']>
type Unpaid = Pick<Order, 'id' | 'kind' | 'amount' | 'currency' | 'paidAt'>

export async function reviewsOf(db: Db, shown: Unpaid[]): Promise<Map<string, Review>> {
  const names = new Map(shown.filter(({ paidAt }) => !paidAt).map((order) => [`${order.kind}:${order.id}`, order]))
  if (names.size === 0) return new Map()
  const rejected = await db
    .select({ body: paymentEvents.body, resolvedAt: paymentEvents.resolvedAt })
    .from(paymentEvents)
    .where(and(arrayOverlaps(paymentEvents.refs, [...names.keys()]), isNotNull(paymentEvents.problem)))
    .orderBy(asc(paymentEvents.receivedAt))
  const reviews = new Map<string, Review>()
  for (const { body, resolvedAt } of rejected) {
    const report = readReport(body)
    const order = names.get(report.summary.trackingId ?? '')
    if (order && mayHaveMoved(report))
      reviews.set(order.id, { received: sumIn(report, order), isOver: resolvedAt !== null })
  }
  return reviews
}

/** A declined payment took nothing. */
const mayHaveMoved = ({ content }: Report) =>
  content.kind === 'payment' ? content.transaction.status === 'successful' : content.kind === 'subscription'

/** Null when it is the sum of the order, so that something else is wrong. */
function sumIn({ content }: Report, order: Unpaid): Review['received'] {
  if (content.kind !== 'payment') return null
  const { amount, currency } = content.transaction
  return amount === order.amount && currency === order.currency ? null : { amount, currency }
}
