import { APIError } from 'better-auth/api'
import { type TwoFactorOptions, twoFactor } from 'better-auth/plugins/two-factor'

/** Where the browser gives the second factor. */
export const SECOND_FACTOR_PAGE = '/auth/second-factor'

/** Calls whose new session needs no second step: it has just been taken, or an inner session already stood behind it. */
const complete = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
  '/change-password',
  '/admin/impersonate-user',
  '/admin/stop-impersonating',
])

/** Whether a session of this call has both steps behind it. */
export const isWholeSignIn = (path: string | undefined) => path !== undefined && complete.has(path)

interface Hooked {
  path?: string | undefined
  headers?: Headers | undefined
  context: { newSession?: { session: { token: string } } | null; returned?: unknown }
}
interface HookResult {
  response: unknown
  headers: Headers | null | undefined
}

/**
 * The library asks for the second step after a password only. Its own hook is run here after everything that makes a
 * session, so a way in that is added later is guarded too. Its calls that we have in our own form are left out.
 */
export function guardedTwoFactor(options: TwoFactorOptions) {
  const library = twoFactor(options)
  const { verifyTOTP, verifyBackupCode } = library.endpoints
  const [ask] = library.hooks.after
  if (!ask) throw new Error('The library asks for no second step')
  const askEverywhere = async (ctx: Hooked): Promise<HookResult> => {
    const going = redirectOf(ctx.context.returned)
    const result = (await (ask.handler as unknown as (ctx: Hooked) => Promise<HookResult>)(ctx)) as HookResult
    if (result.response === undefined || going === null) return result
    const headers = new Headers(result.headers ?? {})
    const page = `${SECOND_FACTOR_PAGE}?${new URLSearchParams({ next: going })}`
    headers.set('location', page)
    return { response: new APIError('FOUND', undefined, { location: page }), headers }
  }
  return {
    ...library,
    endpoints: { verifyTOTP, verifyBackupCode },
    hooks: { after: [{ matcher: isNewSession, handler: askEverywhere as unknown as typeof ask.handler }] },
  }
}

/** A session that the caller's own cookie names is an old one whose cookie is only renewed. */
function isNewSession({ path, context, headers }: Hooked): boolean {
  const token = context.newSession?.session.token
  if (!token || isWholeSignIn(path)) return false
  return !headers?.get('cookie')?.includes(token)
}

/** Where a redirect leads, as a path of ours; null for an answer to a program. */
function redirectOf(returned: unknown): string | null {
  if (!(returned instanceof Error) || !('statusCode' in returned) || returned.statusCode !== 302) return null
  const location = 'headers' in returned && new Headers(returned.headers as Headers).get('location')
  if (!location) return null
  const { pathname, search, hash } = new URL(location, 'http://ours.invalid')
  return pathname + search + hash
}
