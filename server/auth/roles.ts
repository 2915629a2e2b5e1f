import { and, eq, inArray, notExists, or, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import type { Role } from '#contract/role.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import type { AuthDeps } from './deps.ts'

/** The field may hold several roles, separated by commas. */
export function hasRole(roles: string | null | undefined, role: Role): boolean {
  return (roles ?? '').split(',').some((name) => name.trim() === role)
}

type Promotion = Pick<AuthDeps, 'db' | 'adminEmails' | 'adminUserIds' | 'firstUserIsAdmin'>

/**
 * Gives the admin role to the users that the settings name. An address counts only in a session that began with an
 * email to it, because someone else may know the password. One statement, safe to repeat.
 */
export async function promoteIfDue(deps: Promotion, userId: string, provedAddress: boolean): Promise<void> {
  const reasons = dueReasons(deps, userId, provedAddress)
  if (reasons.length === 0) return
  await deps.db
    .update(users)
    .set({ role: 'admin' })
    .where(and(eq(users.id, userId), sql`not ${isAdmin(users.role)}`, or(...reasons)))
}

function dueReasons(promotion: Promotion, userId: string, provedAddress: boolean): SQL[] {
  const { db, adminEmails, adminUserIds = [], firstUserIsAdmin } = promotion
  const reasons: (SQL | undefined)[] = []
  if (provedAddress && adminEmails.length > 0) reasons.push(and(users.emailVerified, inArray(users.email, adminEmails)))
  if (adminUserIds.includes(userId)) reasons.push(sql`true`)
  if (firstUserIsAdmin) {
    const other = alias(users, 'other')
    // An earlier account with an unverified address must not block the first admin for ever.
    const earlier = db
      .select()
      .from(other)
      .where(
        or(
          isAdmin(other.role),
          and(other.emailVerified, sql`(${other.createdAt}, ${other.id}) < (${users.createdAt}, ${users.id})`),
        ),
      )
    reasons.push(notExists(earlier))
  }
  return reasons.filter((reason) => reason !== undefined)
}

const isAdmin = (role: AnyPgColumn) => sql`(',' || replace(${role}, ' ', '') || ',') like '%,admin,%'`

/** How many admins the start names. */
const NAMED = 3

export interface AdminsSoFar {
  emails: string[]
  /** Whether a user has proved an address, so that the next visitor is not the first. */
  hasPeople: boolean
}

export async function adminsSoFar(db: Db): Promise<AdminsSoFar> {
  const admins = await db.select({ email: users.email }).from(users).where(isAdmin(users.role)).limit(NAMED)
  const people = await db.select({ id: users.id }).from(users).where(eq(users.emailVerified, true)).limit(1)
  return { emails: admins.map(({ email }) => email), hasPeople: people.length > 0 }
}
