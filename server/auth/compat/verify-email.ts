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
import type { AuthDeps } from '../deps.ts'
import { deviceIn } from '../device.ts'
import type { Emails } from '../emails.ts'
import { forgetFormerOwner, isKnownDevice } from '../known-devices.ts'
import { inner } from './inner.ts'

const Change = z.object({
  email: z.email(),
  updateTo: z.email(),
  requestType: z.enum(['change-email-confirmation', 'change-email-verification']),
})
type Change = z.infer<typeof Change>

const SIGN_IN = '/auth/signin'
const PASSWORD = '/profile#password'

export const EMAIL_TAKEN = { code: 'COULDNT_UPDATE_YOUR_EMAIL', message: "Couldn't update your email" }

const Proof = z.object({ email: z.email(), updateTo: z.undefined().optional() })

/**
 * The library signs in whoever opens a change-of-address link without a session; here such a link only changes the
 * address. And it keeps what a stranger has set up under an address that somebody else proves: here the one who
 * proves it inherits neither password nor linked services nor sessions.
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
        if (change.success) await takeStep(ctx, deps, emails, change.data)
        else if (!(await takeOver(ctx, deps, payload)))
          return ctx.json((await verifyEmail(inner(ctx))) ?? { status: true })
        if (ctx.query.callbackURL) throw ctx.redirect(ctx.query.callbackURL)
        return ctx.json({ status: true })
      },
    ),
  }
}

/** The address of an unproven account, proven by somebody who is not known to have made it: theirs from now on. */
async function takeOver(ctx: GenericEndpointContext, deps: AuthDeps, payload: unknown): Promise<boolean> {
  const { internalAdapter } = ctx.context
  const proof = Proof.safeParse(payload)
  const owner = proof.success ? (await internalAdapter.findUserByEmail(proof.data.email))?.user : undefined
  if (!owner || owner.emailVerified || (await isMaker(ctx, deps, owner.id))) return false
  await forgetFormerOwner(deps.db, owner.id)
  const user = await revokeUnprovenAccountAccess(ctx, owner.id)
  const session = user && (await internalAdapter.createSession(owner.id))
  if (!session) throw failure(ctx, BASE_ERROR_CODES.FAILED_TO_CREATE_SESSION)
  await setSessionCookie(ctx, { session, user })
  // Who has just come in has no business on the page of signing in.
  if (ctx.query?.callbackURL?.startsWith(SIGN_IN)) throw ctx.redirect(PASSWORD)
  return true
}

/** Whether this browser is known to belong to the account: signed in to it, or the one that made it. */
async function isMaker(ctx: GenericEndpointContext, { db, appUrl }: AuthDeps, userId: string): Promise<boolean> {
  const session = await getSessionFromCtx(ctx)
  if (session?.user.id === userId) return true
  return isKnownDevice(db, userId, deviceIn(ctx.headers, appUrl))
}

async function takeStep(ctx: GenericEndpointContext, deps: AuthDeps, emails: Emails, change: Change): Promise<void> {
  const { internalAdapter } = ctx.context
  const owner = (await internalAdapter.findUserByEmail(change.email))?.user
  if (!owner) throw failure(ctx, BASE_ERROR_CODES.USER_NOT_FOUND)
  const session = await getSessionFromCtx(ctx)
  if (session && session.user.id !== owner.id) throw failure(ctx, BASE_ERROR_CODES.INVALID_USER)
  if (await internalAdapter.findUserByEmail(change.updateTo)) throw failure(ctx, EMAIL_TAKEN)
  if (change.requestType === 'change-email-confirmation') {
    emails.verifyNewAddress({ to: change.updateTo, url: await verificationUrl(ctx, change) })
    return
  }
  if (!(await isMaker(ctx, deps, owner.id))) await revokeAccess(ctx, deps, owner.id)
  await internalAdapter.updateUser(owner.id, { email: change.updateTo, emailVerified: true })
  emails.emailChanged({ to: change.email, newEmail: change.updateTo })
}

/** What a stranger brought along to an address that is not his. */
async function revokeAccess(ctx: GenericEndpointContext, { db }: AuthDeps, userId: string): Promise<void> {
  const { internalAdapter } = ctx.context
  await forgetFormerOwner(db, userId)
  for (const account of await internalAdapter.findAccounts(userId)) await internalAdapter.deleteAccount(account.id)
  await internalAdapter.deleteUserSessions(userId)
}

async function verificationUrl(ctx: GenericEndpointContext, { email, updateTo }: Change): Promise<string> {
  const { secret, baseURL, options } = ctx.context
  const requestType = 'change-email-verification'
  const lifetime = options.emailVerification?.expiresIn
  const token = await createEmailVerificationToken(secret, email, updateTo, lifetime, { requestType })
  const query = new URLSearchParams({ token, callbackURL: ctx.query?.callbackURL ?? '/' })
  return `${baseURL}/verify-email?${query}`
}

function failure(ctx: GenericEndpointContext, reason: { code: string; message: string }) {
  const callbackURL: string | undefined = ctx.query?.callbackURL
  if (!callbackURL) return APIError.from('UNAUTHORIZED', reason)
  const url = new URL(callbackURL, ctx.context.baseURL)
  url.searchParams.set('error', reason.code)
  return ctx.redirect(url.href)
}
