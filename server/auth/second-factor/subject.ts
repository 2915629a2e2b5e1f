import type { GenericEndpointContext } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'

/** Whose code is being tried: the owner of the session, or of the first step taken in this browser. */
export async function subjectOf(ctx: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const cookie = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  if (!identifier) return null
  return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value ?? null
}
