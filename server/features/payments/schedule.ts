import { and, gt, isNull, lte, ne, or } from 'drizzle-orm'
import { liveSubscription, subscriptions } from '#server/db/schema.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { askAboutReversals } from './ask-reversals.ts'
import type { PaymentDeps } from './deps.ts'
import { emailAboutSubscription } from './emails.ts'
import { healPayments } from './heal.ts'
import { maskOldEvents } from './webhook-event-store.ts'

export async function schedulePayments(jobs: Jobs, deps: PaymentDeps): Promise<void> {
  // A silent gateway takes 25 s per request; a run starts nothing new after a minute.
  await jobs.every('heal-payments', '* * * * *', async () => void (await healPayments(deps)), { limitSeconds: 180 })
  await jobs.every('ask-about-reversals', '*/5 * * * *', async () => void (await askAboutReversals(deps)), {
    limitSeconds: 180,
  })
  await jobs.every('mask-payment-events', '*/10 * * * *', async () => void (await maskOldEvents(deps)), {
    limitSeconds: 600,
  })
  await jobs.soon('mask-payment-events')
  await jobs.every('remind-renewals', '23 * * * *', async () => void (await remindRenewals(deps)), {
    limitSeconds: 600,
  })
}

const REMIND_AHEAD_MS = 3 * 24 * 3_600_000

/** Emails a reminder three days before a renewal, once: the statement that finds it also marks it. */
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
          lte(renewAt, new Date(now.getTime() + REMIND_AHEAD_MS)),
          or(isNull(remindedFor), ne(remindedFor, renewAt)),
        ),
      )
      .returning({ id: subscriptions.id })
    for (const { id } of due) await emailAboutSubscription(tx, deps, id, 'renewal-soon')
    return due.length
  })
}
