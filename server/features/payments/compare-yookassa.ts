import { and, eq, gte } from 'drizzle-orm'
import { orders } from '#server/db/schema.ts'
import { formatSum } from '#server/email/templates/layout.ts'
import type { YookassaShop } from '#server/payments/shop.ts'
import type { CompareOptions, Difference } from './compare-gateway.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
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
  const theirs = await gateway.paymentsSince(since)
  for (const transaction of await notRecorded(deps.db, theirs)) {
    if (apply) {
      await ingest(deps, reportOf(transaction), { source: 'request', gateway: 'yookassa' }).catch((error: unknown) => {
        if (!(error instanceof Rejection)) throw error
      })
    }
    const attached = apply && (await notRecorded(deps.db, [transaction])).length === 0
    const { uid, type, amount, currency, tracking_id } = transaction
    const name = `${type === 'refund' ? 'возврат' : 'платёж'} ${uid} (${tracking_id ?? 'без метки'})`
    found.push({ text: `ЮKassa: ${name} на ${formatSum(amount, currency)} здесь не учтён.`, attached })
  }
  const paid = new Set(theirs.filter(({ status }) => status === 'successful').map(({ uid }) => uid))
  const ours = await deps.db
    .select()
    .from(orders)
    .where(and(eq(orders.gateway, 'yookassa'), gte(orders.paidAt, since)))
  for (const { gatewayUid, title, amount, currency } of ours) {
    // A payment of an earlier day may have been made before `since`.
    const known = paid.has(gatewayUid ?? '') || (await gateway.transaction(gatewayUid ?? ''))?.status === 'successful'
    const text = `Платёж ${gatewayUid} («${title}»): здесь он учтён на ${formatSum(amount, currency)}, у ЮKassa его нет.`
    if (!known) found.push({ text, attached: false })
  }
  return found
}
