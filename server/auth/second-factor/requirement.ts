import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { adminGrace, users } from '#server/db/schema.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { PROOF_REQUIRED } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import { hasRole } from '../roles.ts'
import { isFresh, type Standing, standingOf } from './proof.ts'

export interface AdminFactor {
  required: boolean
  graceDays: number
}

/** Nothing is set up, or what is set up was not used in this session. */
export type Lack = 'factor' | 'proof' | null

const DAY_MS = 86_400_000

export function isAdminHere({ adminUserIds }: { adminUserIds?: string[] }, { userId, role }: Standing): boolean {
  return hasRole(role, 'admin') || Boolean(adminUserIds?.includes(userId))
}

interface Deps {
  db: Db
  adminFactor?: AdminFactor
}

/** What the contract's doors ask about factors. */
export function factorChecks({ db, adminFactor }: Deps) {
  return {
    /** Throws 403 unless the owner has proven to be here within the last minutes. */
    mustBeFresh: async ({ id, user }: CurrentSession): Promise<void> => {
      const standing = await standingOf(db, id)
      if (standing && isFresh(standing, user.role === 'admin')) return
      throw new AppError('proof_required', PROOF_REQUIRED)
    },

    /** What an administrator lacks whose days without a second factor are over. */
    lacksFactor: async (session: CurrentSession): Promise<Lack> => {
      if (!adminFactor?.required) return null
      const need = await needOf(db, session.id, adminFactor.graceDays)
      return need === 0 ? 'factor' : need === 'proof' ? 'proof' : null
    },

    /** How many days an administrator may still do without; null when nothing has to be added. */
    daysLeft: async (session: CurrentSession): Promise<number | null> => {
      if (!adminFactor?.required || session.user.role !== 'admin') return null
      const need = await needOf(db, session.id, adminFactor.graceDays)
      return typeof need === 'number' ? need : null
    },
  }
}

export type FactorChecks = ReturnType<typeof factorChecks>

/** Days left, or a passkey to be shown: it protects only a session it opened, a link by email opens others without. */
async function needOf(db: Db, sessionId: string, graceDays: number): Promise<number | 'proof' | null> {
  const standing = await standingOf(db, sessionId)
  if (!standing) return 0
  if (standing.hasTotp || (standing.hasPasskey && standing.factorAt)) return null
  if (standing.hasPasskey) return 'proof'
  const since = await graceSince(db, standing.userId)
  return Math.max(0, Math.ceil((since.getTime() + graceDays * DAY_MS - Date.now()) / DAY_MS))
}

/** The days of those who are administrators already begin with the first start that asks for a second factor. */
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
