import { and, eq, exists, sql } from 'drizzle-orm'
import { PROOF_MINUTES } from '#contract/auth-factors.ts'
import type { Db } from '#server/db/client.ts'
import { accounts, passkeys, sessionProofs, sessions, users } from '#server/db/schema.ts'

export interface Standing {
  userId: string
  role: string
  createdAt: Date
  provenAt: Date | null
  /** When a second factor was given in this session. */
  factorAt: Date | null
  hasTotp: boolean
  hasPasskey: boolean
  hasPassword: boolean
}

/** What is known of a session and of the factors of its owner; null for one that has ended. */
export async function standingOf(db: Db, sessionId: string): Promise<Standing | null> {
  const ownPasskey = db.select({ one: sql`1` }).from(passkeys).where(eq(passkeys.userId, users.id))
  const ownPassword = db
    .select({ one: sql`1` })
    .from(accounts)
    .where(and(eq(accounts.userId, users.id), sql`${accounts.password} is not null`))
  const [standing] = await db
    .select({
      userId: users.id,
      role: users.role,
      createdAt: sessions.createdAt,
      provenAt: sessionProofs.provenAt,
      factorAt: sessionProofs.factorAt,
      hasTotp: users.twoFactorEnabled,
      hasPasskey: sql<boolean>`${exists(ownPasskey)}`,
      hasPassword: sql<boolean>`${exists(ownPassword)}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(sessionProofs, eq(sessionProofs.sessionId, sessions.id))
    .where(eq(sessions.id, sessionId))
  return standing ?? null
}

/**
 * Whoever has an app proves by a second factor and nothing weaker. A passkey alone can be lost, so it binds only
 * administrators, whose factors another administrator can reset.
 */
export function mustUseFactor({ hasTotp, hasPasskey }: Standing, isAdmin: boolean): boolean {
  return hasTotp || (hasPasskey && isAdmin)
}

/** A sign-in of a few minutes ago proves as much as a question would. */
export function isFresh(standing: Standing, isAdmin: boolean, now = Date.now()): boolean {
  const { createdAt, provenAt, factorAt } = standing
  const counted = mustUseFactor(standing, isAdmin) ? [factorAt] : [createdAt, provenAt]
  return counted.some((at) => at !== null && now - at.getTime() < PROOF_MINUTES * 60_000)
}

export async function recordProof(db: Db, sessionId: string, by: 'factor' | 'other'): Promise<void> {
  const now = new Date()
  const proof = by === 'factor' ? { provenAt: now, factorAt: now } : { provenAt: now }
  await db
    .insert(sessionProofs)
    .values({ sessionId, ...proof })
    .onConflictDoUpdate({ target: sessionProofs.sessionId, set: proof })
}
