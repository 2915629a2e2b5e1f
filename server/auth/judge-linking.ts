import type { BetterAuthOptions, GenericEndpointContext } from 'better-auth'
import { getOAuthState } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema.ts'
import { requestJoin } from './join-request.ts'
import type { Letters } from './letters.ts'
import { hasRole } from './roles.ts'
import type { AuthWorld } from './world.ts'

type Judge = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/**
 * Whether a sign-in through a provider may join an account that has the same address. Only the settings say whose
 * word on an address is enough; to an admin's account nothing is joined by itself.
 */
export function judgeLinking(world: AuthWorld, letters: Letters): Judge {
  return async ({ user, source }, ctx) => {
    if (source.action !== 'link-account' || !source.oauth) return
    // Whoever links from the profile is signed in and has asked for it.
    if (ctx?.path === '/link-social' || (await getOAuthState())?.link) return
    const isTrusted = world.trustedProviders?.some((id) => id === source.oauth?.providerId)
    const isProtected = await isAdmin(world, String(user.id))
    if (isTrusted && !isProtected) return
    const isAsked = !isProtected && (await askByLetter(ctx, letters, user, source.oauth))
    return { error: isAsked ? 'link_confirmation_sent' : 'account_not_linked', errorDescription: 'Account not linked' }
  }
}

/** The library asks only about accounts whose own address is proven, so an email there reaches their owner. */
async function askByLetter(
  ctx: GenericEndpointContext,
  letters: Letters,
  { id, email }: { id?: string; email?: string },
  { providerId, profile }: { providerId: string; profile?: Record<string, unknown> | undefined },
): Promise<boolean> {
  const token = id && email && profile && (await requestJoin(ctx, { userId: id, providerId, profile }))
  if (!token) return false
  letters.joinAccount({ to: email, providerId, token, url: `${ctx.context.baseURL}/join-account?token=${token}` }, ctx)
  return true
}

async function isAdmin({ db, adminEmails, adminUserIds }: AuthWorld, userId: string): Promise<boolean> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  if (!row) return true
  return hasRole(row.role, 'admin') || adminEmails.includes(row.email) || Boolean(adminUserIds?.includes(row.id))
}
