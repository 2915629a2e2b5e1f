import { APIError } from 'better-auth/api'
import { type TwoFactorOptions, twoFactor } from 'better-auth/plugins/two-factor'
import { and, eq, like } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { passkeys, twoFactors, users, verifications } from '#server/db/schema.ts'

export const SECOND_FACTOR_PAGE = '/auth/second-factor'

/** Calls whose new session needs no second factor: it was just given, or a complete session made the call. */
const completeSignIns = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
  '/change-password',
  '/admin/impersonate-user',
  '/admin/stop-impersonating',
])

export const isCompleteSignIn = (path: string | undefined) => path !== undefined && completeSignIns.has(path)

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
 * The library asks for the second factor only after a password. Its hook runs here after every call that creates a
 * session, so a sign-in method added later is covered too. Endpoints that we replace are left out.
 */
export function guardedTwoFactor(options: TwoFactorOptions) {
  const library = twoFactor(options)
  const { verifyTOTP, verifyBackupCode } = library.endpoints
  const [ask] = library.hooks.after
  if (!ask) throw new Error('The library asks for no second step')
  // The library's hook is typed for its own contexts; `Hooked` is the part that both sides use.
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

/** A session named in the request's cookie is an old one whose cookie is being renewed. */
function isNewSession({ path, context, headers }: Hooked): boolean {
  const token = context.newSession?.session.token
  if (!token || isCompleteSignIn(path)) return false
  return !headers?.get('cookie')?.includes(token)
}

/** The local path of a redirect; null for other responses. */
function redirectOf(returned: unknown): string | null {
  if (!(returned instanceof Error) || !('statusCode' in returned) || returned.statusCode !== 302) return null
  const location = 'headers' in returned && new Headers(returned.headers as Headers).get('location')
  if (!location) return null
  const { pathname, search, hash } = new URL(location, 'http://ours.invalid')
  return pathname + search + hash
}

/** Returns false when there was none. */
export async function removeTotp(db: Db, userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await tx
      .delete(twoFactors)
      .where(eq(twoFactors.userId, userId))
      .returning({ on: twoFactors.verified })
    await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId))
    await forgetTrustedDevices(tx, userId)
    return removed.some(({ on }) => on)
  })
}

/** Removes TOTP, recovery codes and all passkeys. */
export async function removeFactors(db: Db, userId: string): Promise<boolean> {
  const hadTotp = await removeTotp(db, userId)
  const removed = await db.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id })
  return hadTotp || removed.length > 0
}

/** Trusted devices are asked for the second factor again. */
export async function forgetTrustedDevices(db: Db, userId: string): Promise<void> {
  await db
    .delete(verifications)
    .where(and(like(verifications.identifier, 'trust-device-%'), eq(verifications.value, userId)))
}
