import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { subscriptions } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { endFinding, keepFinding } from './store-event.ts'
import { isEnded } from './subscription-state.ts'
import type { SubscriptionRow } from './subscriptions.ts'

const HOUR_MS = 3_600_000
/** When a subscription that the gateway does not know is asked about again, counted from the first such answer. */
const AGAIN_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]

const findingKey = ({ gatewayId }: SubscriptionRow, since: Date) => `missing:${gatewayId}:${since.toISOString()}`

/**
 * The gateway says that there is no such subscription. A wrong setting or a bad hour of the gateway says the same, and
 * it would go on charging, so only a day of such answers ends the subscription, and the owner is told.
 */
export async function noteMissing(deps: PaymentDeps, id: string, now: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row) return
    const since = row.missingSince ?? now
    const next = AGAIN_MS.map((ms) => new Date(since.getTime() + ms)).find((at) => at > now)
    const facts = { gatewayId: row.gatewayId, missingSince: since }
    if (next && !isEnded(row.state)) {
      await tx.update(subscriptions).set({ missingSince: since, checkAt: next }).where(eq(subscriptions.id, id))
      if (!row.missingSince) deps.log?.warn(facts, 'the payment gateway does not know a subscription: asking again')
      return
    }
    await end(tx, row, since, now)
    if (isEnded(row.state) || !row.activeTo) return
    await keepFinding(tx, findingOf(row, since), PROBLEM)
    afterCommit(() => deps.log?.error(facts, 'a paid subscription is unknown to the payment gateway for a day: ended'))
    publishProfile(deps, row.userId)
  })
}

const PROBLEM =
  'bePaid сутки отвечает, что такой подписки нет. Здесь она закончена. Проверьте в кабинете bePaid, не списываются ли по ней деньги, и настройки BEPAID_SHOP_ID и BEPAID_API_URL.'

async function end(tx: Db, row: SubscriptionRow, since: Date, now: Date): Promise<void> {
  const canceled = row.cancelRequestedAt !== null
  await tx
    .update(subscriptions)
    .set({
      // Also where it has been a day already: a cancellation asked for later ends here too.
      state: canceled ? 'canceled' : isEnded(row.state) ? row.state : 'error',
      canceledAt: canceled ? (row.canceledAt ?? now) : row.canceledAt,
      missingSince: since,
      renewAt: null,
      checkAt: null,
    })
    .where(eq(subscriptions.id, row.id))
}

function findingOf(row: SubscriptionRow, since: Date) {
  const { gatewayId: uid, state: status } = row
  const key = findingKey(row, since)
  return {
    finding: { key, kind: 'subscription' as const, status, uid, amount: null, currency: null, trackingId: null },
  }
}

/** The gateway knows it again; what an administrator was shown has passed. */
export async function noteFound(tx: Db, row: SubscriptionRow): Promise<void> {
  if (row.missingSince) await endFinding(tx, findingKey(row, row.missingSince))
}
