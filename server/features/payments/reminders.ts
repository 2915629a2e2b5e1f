import { and, gt, isNull, lte, ne, or } from 'drizzle-orm'
import { liveSubscription, subscriptions } from '#server/db/schema.ts'
import type { PaymentDeps } from './deps.ts'
import { emailAboutSubscription } from './emails.ts'

const AHEAD_MS = 3 * 24 * 3_600_000

/** Warns of renewals three days ahead, of each once: it is noted in the statement that finds it. */
export async function remindRenewals(deps: PaymentDeps, now = new Date()): Promise<number> {
  const { renewAt, remindedFor } = subscriptions
  return deps.db.transaction(async (tx) => {
    const due = await tx
      .update(subscriptions)
      .set({ remindedFor: renewAt })
      .where(
        and(
          liveSubscription(),
          gt(renewAt, now),
          lte(renewAt, new Date(now.getTime() + AHEAD_MS)),
          or(isNull(remindedFor), ne(remindedFor, renewAt)),
        ),
      )
      .returning({ id: subscriptions.id })
    for (const { id } of due) await emailAboutSubscription(tx, deps, id, 'renewal-soon')
    return due.length
  })
}
