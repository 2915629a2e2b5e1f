import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, createAuthMiddleware, sessionMiddleware } from 'better-auth/api'
import { parseSessionOutput } from 'better-auth/db'
import type { AuthDeps } from '../deps.ts'
import { deviceIn, forgetFormerOwner, rememberDevice } from '../devices.ts'
import { emailCodeEndpoints } from '../email-code.ts'
import type { Emails } from '../emails.ts'
import { joinAccountEndpoints } from '../linking.ts'
import { emailOfSignIn } from '../links.ts'
import { rememberQuestionAfter } from '../pending-question.ts'
import { accountEndpoints, deleteUserEndpoints } from './accounts.ts'
import { checksBefore } from './checks.ts'
import { textOf } from './endpoint.ts'
import { passwordEndpoints, setPasswordEndpoints } from './passwords.ts'
import { answerPage, convertResponse, redirect } from './responses.ts'
import { verifyEmailEndpoints } from './verify-email.ts'

/**
 * Where the library differs from the specification, these endpoints and hooks follow the specification. An endpoint
 * with the library's name replaces the library's.
 */
export function compat(deps: AuthDeps, emails: Emails) {
  return {
    id: 'compat',
    endpoints: {
      ...accountEndpoints,
      ...passwordEndpoints,
      ...setPasswordEndpoints(deps, emails),
      ...deleteUserEndpoints(deps),
      ...verifyEmailEndpoints(deps, emails),
      ...joinAccountEndpoints(deps),
      ...emailCodeEndpoints(deps),
      ...sessionEndpoints,
    },
    hooks: {
      before: [checksBefore(deps), forgetFormerOwnerBefore(deps)],
      after: [errorPageAfter, rememberDeviceAfter(deps), rememberQuestionAfter(deps), urlAfter],
    },
    onRequest: async (request) => {
      const response = answerPage(request, deps.appName)
      return response ? { response } : undefined
    },
    onResponse: async (answer) => ({ response: await convertResponse(answer, deps.appUrl) }),
  } satisfies BetterAuthPlugin
}

/** The specification's sign-in answers always have `url`; the library leaves it out when there is none. */
export const urlAfter = {
  matcher: ({ path }: { path?: string | undefined }) => path === '/sign-in/email' || path === '/sign-in/social',
  handler: createAuthMiddleware(async ({ context: { returned } }) => {
    if (returned && typeof returned === 'object' && 'token' in returned && (!('url' in returned) || !returned.url))
      Object.assign(returned, { url: null })
  }),
}

const UNVERIFIED = 'EMAIL_NOT_VERIFIED'

/**
 * Remembers the browser that set or entered the password before the address was verified. Opening the verification
 * email there keeps the password; opening it elsewhere removes it.
 */
export function rememberDeviceAfter({ db, appUrl }: AuthDeps) {
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

/**
 * When a sign-in link verifies an address, the library removes the account's other sign-in methods; this also removes
 * its known browsers.
 */
export function forgetFormerOwnerBefore({ db }: AuthDeps) {
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

/** The library lists sessions only to sessions younger than a day; the contract asks for a fresh proof instead. */
export const sessionEndpoints = {
  listSessions: createAuthEndpoint('/list-sessions', { method: 'GET', use: [sessionMiddleware] }, async (ctx) => {
    const { user } = ctx.context.session
    const sessions = await ctx.context.internalAdapter.listSessions(user.id, { onlyActiveSessions: true })
    const newestFirst = sessions.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    return ctx.json(newestFirst.map((session) => parseSessionOutput(ctx.context.options, session)))
  }),
}

/** Addresses that users open in a browser: links from emails and the return from a provider. */
const browserPaths = new Set([
  '/magic-link/verify',
  '/verify-email',
  '/reset-password/:token',
  '/delete-user/callback',
  '/callback/:id',
])

/** Browsers get an error page instead of JSON; a banned user always gets one. */
export const errorPageAfter = {
  matcher: ({ path }: { path?: string | undefined }) => path !== undefined && browserPaths.has(path),
  handler: createAuthMiddleware(async (ctx) => {
    const failed = errorOf(ctx.context.returned)
    if (failed === null) return undefined
    if (failed === 'BANNED_USER') return redirect('/error?error=banned')
    const inBrowser = ctx.headers?.get('accept')?.includes('text/html')
    return inBrowser ? redirect(`/error?${new URLSearchParams({ error: failed })}`) : undefined
  }),
}

function errorOf(returned: unknown): string | null {
  if (!(returned instanceof Error) || !('statusCode' in returned) || Number(returned.statusCode) < 400) return null
  const body = 'body' in returned ? (returned.body as { code?: string } | undefined) : undefined
  return body?.code ?? 'Unknown'
}
