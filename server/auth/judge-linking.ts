import type { BetterAuthOptions } from 'better-auth'
import { getOAuthState } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema.ts'
import { hasRole } from './roles.ts'
import type { AuthWorld } from './world.ts'

type Judge = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/**
 * Whether a sign-in through a provider may join an account that has the same address. Only the settings say whose
 * word on an address is enough; to an admin's account nothing is joined by itself.
 */
export function judgeLinking(world: AuthWorld): Judge {
  return async ({ user, source }, ctx) => {
    if (source.action !== 'link-account' || source.method !== 'oauth') return
    // Whoever links from the profile is signed in and has asked for it.
    if (ctx?.path === '/link-social' || (await getOAuthState())?.link) return
    const isTrusted = world.trustedProviders?.some((id) => id === source.oauth?.providerId)
    if (isTrusted && !(await isAdmin(world, String(user.id)))) return
    return { error: 'account_not_linked', errorDescription: 'Account not linked' }
  }
}

async function isAdmin({ db, adminEmails, adminUserIds }: AuthWorld, userId: string): Promise<boolean> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  if (!row) return true
  return hasRole(row.role, 'admin') || adminEmails.includes(row.email) || Boolean(adminUserIds?.includes(row.id))
}
