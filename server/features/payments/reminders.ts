import { and, gt, isNull, lte, ne, or } from 'drizzle-orm'
import { liveSubscription, subscriptions } from '#server/db/schema.ts'
import { tellOfSubscription } from './letters.ts'
import type { PaymentWorld } from './world.ts'

const AHEAD_MS = 3 * 24 * 3_600_000

/** Warns of renewals three days ahead, of each once: it is noted in the statement that finds it. */
export async function remindRenewals(world: PaymentWorld, now = new Date()): Promise<number> {
  const { renewAt, remindedFor } = subscriptions
  return world.db.transaction(async (tx) => {
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
    for (const { id } of due) await tellOfSubscription(tx, world, id, 'renewal-soon')
    return due.length
  })
}
