import { createAuthMiddleware } from 'better-auth/api'
import type { AuthDeps } from '../deps.ts'
import { deviceIn } from '../device.ts'
import { forgetFormerOwner, rememberDevice } from '../known-devices.ts'
import { emailOfSignIn } from '../sign-in-token.ts'
import { textOf } from '../text-of.ts'

const UNVERIFIED = 'EMAIL_NOT_VERIFIED'

/**
 * Remembers the browser that set a password, or has just named the right one, before the address is proven: the
 * email opened there keeps the password, opened anywhere else it does not.
 */
export function makersAfter({ db, appUrl }: AuthDeps) {
  return {
    matcher: ({ path }: { path?: string | undefined }) => path === '/sign-up/email' || path === '/sign-in/email',
    handler: createAuthMiddleware(async (ctx) => {
      const { returned, internalAdapter } = ctx.context
      const isUnverified = codeOf(returned) === UNVERIFIED
      if (returned instanceof Error && !isUnverified) return
      if (ctx.path === '/sign-in/email' && !isUnverified) return
      const found = await internalAdapter.findUserByEmail(textOf(ctx.body?.email))
      if (found) await rememberDevice(db, found.user.id, deviceIn(ctx.headers, appUrl))
    }),
  }
}

/** The library takes the ways in from an account whose address is proven by a sign-in link; its browsers go with them. */
export function heirsBefore({ db }: AuthDeps) {
  return {
    matcher: ({ path }: { path?: string | undefined }) => path === '/magic-link/verify',
    handler: createAuthMiddleware(async (ctx) => {
      const { internalAdapter } = ctx.context
      const email = await emailOfSignIn(internalAdapter, textOf(ctx.query?.token))
      const user = email ? (await internalAdapter.findUserByEmail(email))?.user : undefined
      if (user && !user.emailVerified) await forgetFormerOwner(db, user.id)
    }),
  }
}

function codeOf(returned: unknown): string | undefined {
  const body = returned instanceof Error && 'body' in returned ? (returned.body as { code?: string } | undefined) : null
  return body?.code
}
