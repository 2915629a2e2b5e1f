import { and, eq, exists, sql } from 'drizzle-orm'
import { PROOF_MINUTES } from '#contract/auth-factors.ts'
import type { Db } from '#server/db/client.ts'
import { accounts, passkeys, sessionProofs, sessions, users } from '#server/db/schema.ts'

export interface ProofState {
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

/** A session's proofs and its owner's factors; null for a session that has ended. */
export async function readProofState(db: Db, sessionId: string): Promise<ProofState | null> {
  const ownPasskey = db.select({ one: sql`1` }).from(passkeys).where(eq(passkeys.userId, users.id))
  const ownPassword = db
    .select({ one: sql`1` })
    .from(accounts)
    .where(and(eq(accounts.userId, users.id), sql`${accounts.password} is not null`))
  const [state] = await db
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
  return state ?? null
}

/**
 * Users with TOTP must prove by a second factor. A passkey alone can be lost, so it is required only of admins, whose
 * factors another admin can reset.
 */
export function mustUseFactor({ hasTotp, hasPasskey }: ProofState, isAdmin: boolean): boolean {
  return hasTotp || (hasPasskey && isAdmin)
}

/** A sign-in a few minutes ago counts as a proof. */
export function isFresh(state: ProofState, isAdmin: boolean, now = Date.now()): boolean {
  const { createdAt, provenAt, factorAt } = state
  const counted = mustUseFactor(state, isAdmin) ? [factorAt] : [createdAt, provenAt]
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
