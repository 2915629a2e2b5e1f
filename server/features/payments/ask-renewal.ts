import { and, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { liveSubscription, subscriptions } from '#server/db/schema.ts'
import { askAboutSubscription } from './ask-gateway.ts'
import type { PaymentDeps } from './deps.ts'

/** However often its owner tries, the gateway is asked about one subscription no more often than this. */
const EVERY = sql`interval '30 seconds'`

/**
 * Somebody may be out of symbols only because the news of a renewal got lost: asks about it at once, in the
 * background. Cheap when nothing is due. Not to be called inside a transaction.
 */
export function askIfRenewalDue(deps: PaymentDeps, userId: string): void {
  if (!deps.shop) return
  const work = ask(deps, userId).catch((error: unknown) => {
    deps.log?.warn({ err: error, userId }, 'a renewal that is due could not be asked about')
  })
  deps.onBackground?.(work)
}

async function ask(deps: PaymentDeps, userId: string): Promise<void> {
  const { renewAt, askedAt } = subscriptions
  const due = await deps.db
    .update(subscriptions)
    .set({ askedAt: sql`now()` })
    .where(
      and(
        eq(subscriptions.userId, userId),
        liveSubscription(),
        lte(renewAt, sql`now()`),
        or(isNull(askedAt), lt(askedAt, sql`now() - ${EVERY}`)),
      ),
    )
    .returning()
  for (const row of due) await askAboutSubscription(deps, row)
}
