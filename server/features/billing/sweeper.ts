import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { grants, holds } from '#server/db/schema.ts'
import { type ChargeDetails, letGo, release, type SpendKind, settle } from './ledger.ts'

export interface LostHold {
  key: string
  userId: string
  kind: SpendKind
  symbols: number
}

/** What was really delivered under a hold whose worker is gone; null when nothing was. */
export type DeliveredUnder = (hold: LostHold) => Promise<{ symbols: number; details: ChargeDetails } | null>

const BATCH = 200

/**
 * Ends the holds that a crash left behind: charged for what was stored, free if nothing was. Ending is idempotent,
 * so a sweep that dies itself, or two at once, end each hold once.
 */
export async function sweepHolds(db: Db, deliveredUnder: DeliveredUnder, now = new Date()): Promise<string[]> {
  const lost = await db
    .select({ key: holds.key, userId: holds.userId, kind: holds.kind, symbols: holds.symbols })
    .from(holds)
    .where(and(eq(holds.state, 'active'), lt(holds.leaseUntil, now)))
    .orderBy(asc(holds.leaseUntil))
    .limit(BATCH)
  for (const hold of lost) {
    const delivered = await deliveredUnder(hold)
    if (delivered) await settle(db, hold.key, Math.min(delivered.symbols, hold.symbols), delivered.details, now)
    else await release(db, hold.key, now)
  }
  return [...new Set(lost.map(({ userId }) => userId))]
}

/** Lets go the symbols that have run out, so that the books say so before their owner looks. */
export async function expireGrants(db: Db, now = new Date()): Promise<string[]> {
  const owners = await db
    .selectDistinct({ userId: grants.userId })
    .from(grants)
    .where(and(sql`${grants.remaining} > 0`, lt(grants.expiresAt, now)))
    .limit(BATCH)
  for (const { userId } of owners) await letGo(db, userId, now)
  return owners.map(({ userId }) => userId)
}
