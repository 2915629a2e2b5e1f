import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { adminGrace, users } from '#server/db/schema.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { PROOF_REQUIRED } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import { hasRole } from '../roles.ts'
import { isFresh, type ProofState, readProofState } from './proof.ts'

export interface AdminFactor {
  required: boolean
  graceDays: number
}

/** No factor is set up, or it was not used in this session. */
export type Lack = 'factor' | 'proof' | null

const DAY_MS = 86_400_000

export function isAdminHere({ adminUserIds }: { adminUserIds?: string[] }, { userId, role }: ProofState): boolean {
  return hasRole(role, 'admin') || Boolean(adminUserIds?.includes(userId))
}

interface Deps {
  db: Db
  adminFactor?: AdminFactor
}

/** The checks of `proof` and of admin endpoints. */
export function factorChecks({ db, adminFactor }: Deps) {
  return {
    /** Throws 403 unless the owner proved their identity within the last minutes. */
    mustBeFresh: async ({ id, user }: CurrentSession): Promise<void> => {
      const state = await readProofState(db, id)
      if (state && isFresh(state, user.role === 'admin')) return
      throw new AppError('proof_required', PROOF_REQUIRED)
    },

    /** What an admin lacks after the grace period. */
    lacksFactor: async (session: CurrentSession): Promise<Lack> => {
      if (!adminFactor?.required) return null
      const need = await needOf(db, session.id, adminFactor.graceDays)
      return need === 0 ? 'factor' : need === 'proof' ? 'proof' : null
    },

    /** Days an admin has left to add a factor; null when nothing has to be added. */
    daysLeft: async (session: CurrentSession): Promise<number | null> => {
      if (!adminFactor?.required || session.user.role !== 'admin') return null
      const need = await needOf(db, session.id, adminFactor.graceDays)
      return typeof need === 'number' ? need : null
    },
  }
}

export type FactorChecks = ReturnType<typeof factorChecks>

/** Days left, or 'proof' when a passkey exists but was not used: a session opened by an email link has not seen it. */
async function needOf(db: Db, sessionId: string, graceDays: number): Promise<number | 'proof' | null> {
  const state = await readProofState(db, sessionId)
  if (!state) return 0
  if (state.hasTotp || (state.hasPasskey && state.factorAt)) return null
  if (state.hasPasskey) return 'proof'
  const since = await graceSince(db, state.userId)
  return Math.max(0, Math.ceil((since.getTime() + graceDays * DAY_MS - Date.now()) / DAY_MS))
}

/** For existing admins the grace period begins with the first start that requires a second factor. */
export async function startGrace(db: Db, { required }: AdminFactor): Promise<void> {
  if (!required) return
  await db.execute(sql`
    insert into ${adminGrace} (user_id, since)
    select id, now() from ${users} where is_acting_admin(role, banned)
    on conflict do nothing`)
}

async function graceSince(db: Db, userId: string): Promise<Date> {
  await db.insert(adminGrace).values({ userId, since: new Date() }).onConflictDoNothing()
  const [row] = await db.select().from(adminGrace).where(eq(adminGrace.userId, userId))
  return row?.since ?? new Date()
}
