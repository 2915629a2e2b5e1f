import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createEmailVerificationToken,
  getSessionFromCtx,
  originCheck,
  verifyEmail,
} from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import * as z from 'zod'
import type { Letters } from '../letters.ts'
import { inner } from './inner.ts'

const Change = z.object({
  email: z.email(),
  updateTo: z.email(),
  requestType: z.enum(['change-email-confirmation', 'change-email-verification']),
})
type Change = z.infer<typeof Change>

export const EMAIL_TAKEN = { code: 'COULDNT_UPDATE_YOUR_EMAIL', message: "Couldn't update your email" }

/** The library signs in whoever opens a change-of-address link without a session; here such a link only changes the address. */
export function verifyEmailEndpoints(letters: Letters) {
  return {
    verifyEmail: createAuthEndpoint(
      '/verify-email',
      {
        method: 'GET',
        query: z.object({ token: z.string(), callbackURL: z.string().optional() }),
        use: [originCheck((ctx) => ctx.query.callbackURL)],
      },
      async (ctx) => {
        const change = Change.safeParse(await verifyJWT(ctx.query.token, ctx.context.secret))
        if (!change.success) return ctx.json((await verifyEmail(inner(ctx))) ?? { status: true })
        await takeStep(ctx, letters, change.data)
        if (ctx.query.callbackURL) throw ctx.redirect(ctx.query.callbackURL)
        return ctx.json({ status: true })
      },
    ),
  }
}

async function takeStep(ctx: GenericEndpointContext, letters: Letters, change: Change): Promise<void> {
  const { internalAdapter } = ctx.context
  const owner = (await internalAdapter.findUserByEmail(change.email))?.user
  if (!owner) throw failure(ctx, BASE_ERROR_CODES.USER_NOT_FOUND)
  const session = await getSessionFromCtx(ctx)
  if (session && session.user.id !== owner.id) throw failure(ctx, BASE_ERROR_CODES.INVALID_USER)
  if (await internalAdapter.findUserByEmail(change.updateTo)) throw failure(ctx, EMAIL_TAKEN)
  if (change.requestType === 'change-email-confirmation') {
    letters.verifyNewAddress({ to: change.updateTo, url: await verificationUrl(ctx, change) })
    return
  }
  await internalAdapter.updateUser(owner.id, { email: change.updateTo, emailVerified: true })
  letters.emailChanged({ to: change.email, newEmail: change.updateTo })
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
