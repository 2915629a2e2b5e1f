import { eq, sql } from 'drizzle-orm'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { balances, grants, ledger } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'

/** The one door to a balance: nothing else writes to balances, grants or the ledger. */

export interface Grant {
  userId: string
  kind: 'gift'
  symbols: number
  expiresAt?: Date
  /** Makes a repeat harmless: the same key grants once. */
  key: string
}

/** Adds symbols and writes why, in one transaction. Says whether this call was the one that did it. */
export async function grant(db: Db, { userId, kind, symbols, expiresAt, key }: Grant): Promise<{ posted: boolean }> {
  return db.transaction(async (tx) => {
    // The upsert locks the user's row before anything else, so that parallel callers queue in one order.
    const [balance] = await tx
      .insert(balances)
      .values({ userId, total: symbols })
      .onConflictDoUpdate({ target: balances.userId, set: { total: sql`${balances.total} + ${symbols}` } })
      .returning({ total: balances.total })
    if (!balance) throw new Error('An upsert gave no row')
    const [entry] = await tx
      .insert(ledger)
      .values({ id: newId(), userId, key, kind, symbols, balanceAfter: balance.total })
      .onConflictDoNothing({ target: ledger.key })
      .returning({ id: ledger.id })
    if (!entry) {
      await tx
        .update(balances)
        .set({ total: sql`${balances.total} - ${symbols}` })
        .where(eq(balances.userId, userId))
      return { posted: false }
    }
    await tx
      .insert(grants)
      .values({ id: newId(), userId, kind, symbols, remaining: symbols, expiresAt: expiresAt ?? null })
    return { posted: true }
  })
}

export async function balanceOf(db: Db, userId: string): Promise<SingleSubscription> {
  const [row] = await db.select({ total: balances.total }).from(balances).where(eq(balances.userId, userId))
  const availableTokens = row?.total ?? 0
  return { availableTokens, active: availableTokens > 0, recurrent: false }
}
