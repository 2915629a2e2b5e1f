import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { subscriptions } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import { type PaymentDeps, publishProfile } from './deps.ts'
import { type PaymentProblem, storeProblem } from './problems.ts'
import { isEnded, type SubscriptionRow } from './subscription-state.ts'

const HOUR_MS = 3_600_000
/** When the gateway is asked again about a subscription it does not know, counted from its first 404. */
const RETRIES_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]

/**
 * The gateway answers that there is no such subscription. Wrong settings or an outage look the same while it goes on
 * charging, so the subscription ends only after 24 h of such answers, with a problem for the administrator.
 */
export async function recordMissingSubscription(deps: PaymentDeps, id: string, now: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row) return
    const since = row.missingSince ?? now
    const next = RETRIES_MS.map((ms) => new Date(since.getTime() + ms)).find((at) => at > now)
    const facts = { gatewayId: row.gatewayId, missingSince: since }
    if (next && !isEnded(row.state)) {
      await tx.update(subscriptions).set({ missingSince: since, checkAt: next }).where(eq(subscriptions.id, id))
      if (!row.missingSince) deps.log?.warn(facts, 'payments: subscription unknown to the gateway, will ask again')
      return
    }
    await endSubscription(tx, row, since, now)
    if (isEnded(row.state) || !row.activeTo) return
    await storeProblem(tx, problemOf(row, since))
    afterCommit(() => deps.log?.error(facts, 'payments: paid subscription unknown to the gateway for a day, ended'))
    publishProfile(deps, row.userId)
  })
}

const SENTENCE =
  'bePaid сутки отвечает, что такой подписки нет. Здесь она закончена. Проверьте в кабинете bePaid, не списываются ли по ней деньги, и настройки BEPAID_SHOP_ID и BEPAID_API_URL.'

async function endSubscription(tx: Db, row: SubscriptionRow, since: Date, now: Date): Promise<void> {
  const canceled = row.cancelRequestedAt !== null
  await tx
    .update(subscriptions)
    .set({
      // The day may be over already: a cancellation requested later ends here too.
      state: canceled ? 'canceled' : isEnded(row.state) ? row.state : 'error',
      canceledAt: canceled ? (row.canceledAt ?? now) : row.canceledAt,
      missingSince: since,
      renewAt: null,
      checkAt: null,
    })
    .where(eq(subscriptions.id, row.id))
}

function problemOf(
  { id: subscriptionId, gatewayId: uid, state: status }: SubscriptionRow,
  since: Date,
): PaymentProblem {
  const key = `missing:${uid}:${since.toISOString()}`
  return { key, kind: 'missing_subscription', gateway: 'bepaid', subscriptionId, uid, status, sentence: SENTENCE }
}
