import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createEmailVerificationToken,
  getSessionFromCtx,
  originCheck,
  verifyEmail,
} from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { verifyJWT } from 'better-auth/crypto'
import { revokeUnprovenAccountAccess } from 'better-auth/db'
import * as z from 'zod'
import { profilePath } from '#contract/profile-sections.ts'
import type { AuthDeps } from '../deps.ts'
import { deviceIn, forgetDevices, forgetFormerOwner, isKnownDevice } from '../devices.ts'
import type { Emails } from '../emails.ts'
import { innerContext } from './endpoint.ts'

const Change = z.object({
  email: z.email(),
  updateTo: z.email(),
  userId: z.string(),
  requestType: z.enum(['change-email-confirmation', 'change-email-verification']),
})
type Change = z.infer<typeof Change>

const SIGN_IN = '/auth/signin'
const PASSWORD = profilePath('password')

export const EMAIL_TAKEN = { code: 'COULDNT_UPDATE_YOUR_EMAIL', message: "Couldn't update your email" }

const Proof = z.object({ email: z.email(), updateTo: z.undefined().optional(), userId: z.string().optional() })

/**
 * A change-of-address link signs no one in and says when it fails. When an address is verified by a browser other than
 * the one that signed up, its password, linked providers and sessions are removed.
 */
export function verifyEmailEndpoints(deps: AuthDeps, emails: Emails) {
  return {
    verifyEmail: createAuthEndpoint(
      '/verify-email',
      {
        method: 'GET',
        query: z.object({ token: z.string(), callbackURL: z.string().optional() }),
        use: [originCheck((ctx) => ctx.query.callbackURL)],
      },
      async (ctx) => {
        const payload = await verifyJWT(ctx.query.token, ctx.context.secret)
        const change = Change.safeParse(payload)
        if (change.success) await changeAddress(ctx, deps, emails, change.data)
        else if (!(await claimAddress(ctx, deps, payload)))
          return ctx.json((await verifyEmail(innerContext(ctx))) ?? { status: true })
        if (ctx.query.callbackURL) throw ctx.redirect(ctx.query.callbackURL)
        return ctx.json({ status: true })
      },
    ),
  }
}

/**
 * An unverified account whose address is verified from an unknown browser: it now belongs to the owner of the address.
 */
async function claimAddress(ctx: GenericEndpointContext, deps: AuthDeps, payload: unknown): Promise<boolean> {
  const { internalAdapter } = ctx.context
  const proof = Proof.safeParse(payload)
  const owner = proof.success ? (await internalAdapter.findUserByEmail(proof.data.email))?.user : undefined
  // A link sent to a former account of the address: the library refuses it.
  if (proof.data?.userId && proof.data.userId !== owner?.id) return false
  if (!owner || owner.emailVerified || (await isOwnBrowser(ctx, deps, owner.id))) return false
  await forgetFormerOwner(deps.db, owner.id)
  const user = await revokeUnprovenAccountAccess(ctx, owner.id)
  const session = user && (await internalAdapter.createSession(owner.id))
  if (!session) throw linkError(ctx, BASE_ERROR_CODES.FAILED_TO_CREATE_SESSION)
  await setSessionCookie(ctx, { session, user })
  // The user has just signed in, so the sign-in page would be wrong.
  if (ctx.query?.callbackURL?.startsWith(SIGN_IN)) throw ctx.redirect(PASSWORD)
  return true
}

/** Whether this browser is signed in to the account or created it. */
async function isOwnBrowser(ctx: GenericEndpointContext, { db, appUrl }: AuthDeps, userId: string): Promise<boolean> {
  const session = await getSessionFromCtx(ctx)
  if (session?.user.id === userId) return true
  return isKnownDevice(db, userId, deviceIn(ctx.headers, appUrl))
}

async function changeAddress(
  ctx: GenericEndpointContext,
  deps: AuthDeps,
  emails: Emails,
  change: Change,
): Promise<void> {
  const { internalAdapter } = ctx.context
  const owner = (await internalAdapter.findUserByEmail(change.email))?.user
  if (!owner) throw linkError(ctx, BASE_ERROR_CODES.USER_NOT_FOUND)
  // The address may have passed to another account since the link was sent.
  if (owner.id !== change.userId) throw linkError(ctx, BASE_ERROR_CODES.INVALID_TOKEN)
  const session = await getSessionFromCtx(ctx)
  if (session && session.user.id !== owner.id) throw linkError(ctx, BASE_ERROR_CODES.INVALID_USER)
  if (await internalAdapter.findUserByEmail(change.updateTo)) throw linkError(ctx, EMAIL_TAKEN)
  if (change.requestType === 'change-email-confirmation') {
    emails.verifyNewAddress({ to: change.updateTo, url: await verificationUrl(ctx, change) })
    return
  }
  if (!(await isOwnBrowser(ctx, deps, owner.id))) await revokeAccess(ctx, deps, owner.id)
  await internalAdapter.updateUser(owner.id, { email: change.updateTo, emailVerified: true })
  emails.emailChanged({ to: change.email, newEmail: change.updateTo })
}

/**
 * Ends sessions, passwords and linked providers. The second factor and the passkeys stay: the former address was proven
 * too, and a change of address must not be a way around them.
 */
async function revokeAccess(ctx: GenericEndpointContext, { db }: AuthDeps, userId: string): Promise<void> {
  const { internalAdapter } = ctx.context
  await forgetDevices(db, userId)
  for (const account of await internalAdapter.findAccounts(userId)) await internalAdapter.deleteAccount(account.id)
  await internalAdapter.deleteUserSessions(userId)
}

async function verificationUrl(ctx: GenericEndpointContext, { email, updateTo, userId }: Change): Promise<string> {
  const { secret, baseURL, options } = ctx.context
  const requestType = 'change-email-verification'
  const lifetime = options.emailVerification?.expiresIn
  const token = await createEmailVerificationToken(secret, email, updateTo, lifetime, { requestType, userId })
  const query = new URLSearchParams({ token, callbackURL: ctx.query?.callbackURL ?? '/' })
  return `${baseURL}/verify-email?${query}`
}

function linkError(ctx: GenericEndpointContext, reason: { code: string; message: string }) {
  const callbackURL: string | undefined = ctx.query?.callbackURL
  if (!callbackURL) return APIError.from('UNAUTHORIZED', reason)
  const url = new URL(callbackURL, ctx.context.baseURL)
  url.searchParams.set('error', reason.code)
  return ctx.redirect(url.href)
}
