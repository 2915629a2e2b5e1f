import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { balanceOf } from './ledger.ts'

/** The balance and the subscription behind it, as every answer gives them. */
export async function singleSubscription(db: Db, userId: string): Promise<SingleSubscription> {
  const balance = await balanceOf(db, userId)
  return {
    ...balance,
    active: balance.availableTokens > 0,
    recurrent: false,
    plan: null,
    periodEnd: null,
    nextCharge: null,
  }
}
