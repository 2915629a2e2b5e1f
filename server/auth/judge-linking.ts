import type { BetterAuthOptions, GenericEndpointContext } from 'better-auth'
import { getOAuthState } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema.ts'
import type { AuthDeps } from './deps.ts'
import type { Emails } from './emails.ts'
import { requestJoin } from './join-request.ts'
import { hasRole } from './roles.ts'

type Judge = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/**
 * Whether a sign-in through a provider may join an account that has the same address. Only the settings say whose
 * word on an address is enough; to an admin's account nothing is joined by itself.
 */
export function judgeLinking(deps: AuthDeps, emails: Emails): Judge {
  return async ({ user, source }, ctx) => {
    if (source.action !== 'link-account' || !source.oauth) return
    // Whoever links from the profile is signed in and has asked for it.
    if (ctx?.path === '/link-social' || (await getOAuthState())?.link) return
    const isTrusted = deps.trustedProviders?.some((id) => id === source.oauth?.providerId)
    const isProtected = await isAdmin(deps, String(user.id))
    if (isTrusted && !isProtected) return
    const isAsked = !isProtected && (await askByEmail(ctx, emails, user, source.oauth))
    return { error: isAsked ? 'link_confirmation_sent' : 'account_not_linked', errorDescription: 'Account not linked' }
  }
}

/** The library asks only about accounts whose own address is proven, so an email there reaches their owner. */
async function askByEmail(
  ctx: GenericEndpointContext,
  emails: Emails,
  { id, email }: { id?: string; email?: string },
  { providerId, profile }: { providerId: string; profile?: Record<string, unknown> | undefined },
): Promise<boolean> {
  const token = id && email && profile && (await requestJoin(ctx, { userId: id, providerId, profile }))
  if (!token) return false
  emails.joinAccount({ to: email, providerId, token, url: `${ctx.context.baseURL}/join-account?token=${token}` }, ctx)
  return true
}

async function isAdmin({ db, adminEmails, adminUserIds }: AuthDeps, userId: string): Promise<boolean> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  if (!row) return true
  return hasRole(row.role, 'admin') || adminEmails.includes(row.email) || Boolean(adminUserIds?.includes(row.id))
}
