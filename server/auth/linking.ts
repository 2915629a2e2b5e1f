import { randomBytes } from 'node:crypto'
import type { BetterAuthOptions, GenericEndpointContext } from 'better-auth'
import { createAuthEndpoint, getOAuthState } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { users } from '#server/db/schema.ts'
import type { AuthDeps } from './deps.ts'
import { deviceIn, isSignedForDevice } from './devices.ts'
import type { Emails } from './emails.ts'
import { hashToken } from './links.ts'
import { hasRole } from './roles.ts'

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/**
 * Decides whether a sign-in through a provider may be linked to an account with the same address. Only providers named
 * in the settings are trusted; admin accounts are never linked automatically.
 */
export function createLinkingCheck(deps: AuthDeps, emails: Emails): ValidateUserInfo {
  return async ({ user, source }, ctx) => {
    if (source.action !== 'link-account' || !source.oauth) return
    // Linking from the profile: the user is signed in and asked for it.
    if (ctx?.path === '/link-social' || (await getOAuthState())?.link) return
    const isTrusted = deps.trustedProviders?.some((id) => id === source.oauth?.providerId)
    const isProtected = await isAdmin(deps, String(user.id))
    if (isTrusted && !isProtected) return
    const isSent = !isProtected && (await askByEmail(ctx, emails, user, source.oauth))
    return { error: isSent ? 'link_confirmation_sent' : 'account_not_linked', errorDescription: 'Account not linked' }
  }
}

/** The library calls this only for accounts with a verified address, so the email reaches the owner. */
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

const Join = z.object({ userId: z.string(), providerId: z.string(), accountId: z.string() })
type Join = z.infer<typeof Join>

const HOUR_MS = 3_600_000

export const joinIdentifier = (token: string): string => `join-account:${hashToken(token)}`

export function readJoin(value: string): Join | null {
  return Join.safeParse(JSON.parse(value)).data ?? null
}

/** Stores the pending link under a token that is only sent by email; null if the provider gives no account id. */
export async function requestJoin(
  ctx: GenericEndpointContext,
  { userId, providerId, profile }: { userId: string; providerId: string; profile: Record<string, unknown> },
): Promise<string | null> {
  const provider = ctx.context.socialProviders.find(({ id }) => id === providerId)
  const subject = await provider?.accountSubject({ tokens: {}, profile })
  const accountId = String(subject ?? '').trim()
  if (!accountId) return null
  const token = randomBytes(24).toString('base64url')
  await ctx.context.internalAdapter.createVerificationValue({
    identifier: joinIdentifier(token),
    value: JSON.stringify({ userId, providerId, accountId } satisfies Join),
    expiresAt: new Date(Date.now() + HOUR_MS),
  })
  return token
}

const LINKED = '/auth/signin?mode=linked'

/**
 * Links a provider's account to the account with the same address. The link was sent to that address and works only in
 * the browser that came through the provider, so one person controls both.
 */
export function joinAccountEndpoints({ secret, appUrl }: AuthDeps) {
  return {
    joinAccount: createAuthEndpoint(
      '/join-account',
      { method: 'GET', query: z.object({ token: z.string(), from: z.string().optional() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context
        const { token, from } = ctx.query
        const device = deviceIn(ctx.headers, appUrl)
        if (!isSignedForDevice(secret, device, token, from ?? null))
          throw ctx.redirect('/auth/signin?error=open_where_asked')
        const row = await internalAdapter.consumeVerificationValue(joinIdentifier(token))
        const join = row && row.expiresAt > new Date() ? readJoin(row.value) : null
        const user = join && (await internalAdapter.findUserById(join.userId))
        if (!join || !user?.emailVerified) throw ctx.redirect(`${LINKED}&error=INVALID_TOKEN`)
        const { userId, providerId, accountId } = join
        const accounts = await internalAdapter.findAccounts(userId)
        const isThere = accounts.some((account) => account.providerId === providerId && account.accountId === accountId)
        if (!isThere) await internalAdapter.linkAccount({ userId, providerId, accountId })
        throw ctx.redirect(LINKED)
      },
    ),
  }
}
