import { and, eq, gte } from 'drizzle-orm'
import { orders } from '#server/db/schema.ts'
import { formatSum } from '#server/email/templates/layout.ts'
import type { YookassaShop } from '#server/payments/shop.ts'
import {
  type CompareOptions,
  type Difference,
  ignoringRejection,
  isResolved,
  paymentDifference,
} from './compare-gateway.ts'
import type { PaymentDeps } from './deps.ts'
import { ingest } from './ingest.ts'
import { reportOf } from './reports.ts'
import { notRecorded } from './sync-reversals.ts'

/** ЮKassa lists its payments by time, so also those whose order is lost are found. */
export async function compareWithYookassa(
  deps: PaymentDeps,
  { gateway }: YookassaShop,
  { since, apply }: CompareOptions,
): Promise<Difference[]> {
  const found: Difference[] = []
  const theirs = await gateway.transactionsSince(since)
  for (const transaction of await notRecorded(deps.db, theirs)) {
    if (await isResolved(deps, transaction)) continue
    const options = { source: 'request', gateway: 'yookassa' } as const
    if (apply) await ignoringRejection(() => ingest(deps, reportOf(transaction), options))
    const attached = apply && (await notRecorded(deps.db, [transaction])).length === 0
    const { uid, type, amount, currency, tracking_id } = transaction
    const name = `${type === 'refund' ? 'возврат' : 'платёж'} ${uid} (${tracking_id ?? 'без метки'})`
    found.push({ text: `${name} на ${formatSum(amount, currency)} здесь не учтён.`, attached })
  }
  const known = new Map(theirs.map((transaction) => [transaction.uid, transaction]))
  const ours = await deps.db
    .select()
    .from(orders)
    .where(and(eq(orders.gateway, 'yookassa'), gte(orders.paidAt, since)))
  for (const order of ours) {
    // A payment may have been made before `since` and counted later.
    const uid = order.gatewayUid ?? ''
    const text = paymentDifference(order, known.get(uid) ?? (await gateway.transaction(uid)))
    if (text) found.push({ text, attached: false })
  }
  return found
}
