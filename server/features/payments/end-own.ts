import { and, eq, isNotNull } from 'drizzle-orm'
import { renewals, subscriptions } from '#server/db/schema.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { emailAboutSubscription } from './emails.ts'
import type { SubscriptionRow } from './subscription-state.ts'

/**
 * Ends a subscription that we charge ourselves and that was cancelled; no gateway is asked. A charge that is under way
 * counts if it succeeds: its order is checked until that is known.
 */
export async function endOwn(deps: PaymentDeps, { id }: SubscriptionRow): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const isCanceled = and(eq(subscriptions.id, id), isNotNull(subscriptions.cancelRequestedAt))
    const [row] = await tx.select().from(subscriptions).where(isCanceled).for('update')
    if (!row) return
    const now = new Date()
    const end = { state: 'canceled', canceledAt: row.canceledAt ?? now, renewAt: null, checkAt: null }
    await tx.update(subscriptions).set(end).where(eq(subscriptions.id, id))
    await tx
      .update(renewals)
      .set({ state: 'failed', nextAt: null, updatedAt: now })
      .where(and(eq(renewals.subscriptionId, id), eq(renewals.state, 'waiting')))
    if (row.canceledAt) return
    if (!row.replacedBy) await emailAboutSubscription(tx, deps, id, 'canceled')
    publishProfile(deps, row.userId)
  })
}
