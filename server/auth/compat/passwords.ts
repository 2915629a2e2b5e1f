import { BASE_ERROR_CODES, type GenericEndpointContext, generateId } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  originCheck,
  requestPasswordReset,
  sensitiveSessionMiddleware,
  setPassword,
} from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { parseUserOutput } from 'better-auth/db'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { accounts, sessions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { AuthDeps } from '../deps.ts'
import { endApiKeysOf } from '../devices.ts'
import type { Emails } from '../emails.ts'
import { innerContext } from './endpoint.ts'

export const passwordEndpoints = {
  /** The specification's older name of the same call. */
  forgetPassword: createAuthEndpoint(
    '/forget-password',
    {
      method: 'POST',
      body: z.object({ email: z.email(), redirectTo: z.string().optional() }),
      use: [originCheck((ctx) => ctx.body.redirectTo)],
    },
    async (ctx) => ctx.json(await requestPasswordReset(innerContext(ctx))),
  ),
}

export function assertPasswordFits({ context }: GenericEndpointContext, password: string): void {
  const { minPasswordLength, maxPasswordLength } = context.password.config
  if (password.length < minPasswordLength) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_SHORT)
  if (password.length > maxPasswordLength) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_LONG)
}

export async function verifiedCredential(ctx: GenericEndpointContext, userId: string, password: string) {
  const { internalAdapter, password: passwords } = ctx.context
  if (password.length > passwords.config.maxPasswordLength) {
    throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_LONG)
  }
  const account = await internalAdapter.findCredentialAccount(userId)
  if (!account?.password) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.CREDENTIAL_ACCOUNT_NOT_FOUND)
  const right = await passwords.verify({ hash: account.password, password })
  if (!right) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.INVALID_PASSWORD)
  return account
}

export function setPasswordEndpoints(deps: AuthDeps, emails: Emails) {
  return {
    /** Sets the first password of a user who signed in by email. The contract asks for a fresh proof. */
    createPassword: createAuthEndpoint(
      '/create-password',
      { method: 'POST', body: z.object({ newPassword: z.string() }), use: [sensitiveSessionMiddleware] },
      async (ctx) => {
        const answer = await setPassword(innerContext(ctx))
        emails.passwordSet({ to: ctx.context.session.user.email, isFirst: true })
        return ctx.json(answer)
      },
    ),

    /**
     * The library uses three statements: an error between them would leave old sessions alive with the new password.
     */
    changePassword: createAuthEndpoint(
      '/change-password',
      {
        method: 'POST',
        body: z.object({
          newPassword: z.string(),
          currentPassword: z.string(),
          revokeOtherSessions: z.boolean().optional(),
          endApiKeys: z.boolean().optional(),
        }),
        use: [sensitiveSessionMiddleware],
      },
      async (ctx) => {
        const { session, user } = ctx.context.session
        assertPasswordFits(ctx, ctx.body.newPassword)
        const account = await verifiedCredential(ctx, user.id, ctx.body.currentPassword)
        const password = await ctx.context.password.hash(ctx.body.newPassword)
        const { revokeOtherSessions = false, endApiKeys = revokeOtherSessions } = ctx.body
        const change = { accountId: account.id, userId: user.id, password, endApiKeys }
        const renewed = revokeOtherSessions ? { ...session, expiresIn: ctx.context.sessionConfig.expiresIn } : null
        const created = await changePassword(deps, change, renewed)
        if (created) await setSessionCookie(ctx, { session: created, user })
        emails.passwordSet({ to: user.email, isFirst: false })
        return ctx.json({ token: created?.token ?? null, user: parseUserOutput(ctx.context.options, user) })
      },
    ),
  }
}

interface Change {
  accountId: string
  userId: string
  password: string
  endApiKeys: boolean
}
interface RenewedSession {
  ipAddress?: string | null | undefined
  userAgent?: string | null | undefined
  expiresIn: number
}

/** With `renewed`, all sessions end and a new one replaces the caller's. */
async function changePassword(
  { db, onSessionEnded, onSignIn }: AuthDeps,
  change: Change,
  renewed: RenewedSession | null,
) {
  const now = new Date()
  const { created, ended } = await db.transaction(async (tx) => {
    await tx
      .update(accounts)
      .set({ password: change.password, updatedAt: now })
      .where(eq(accounts.id, change.accountId))
    if (change.endApiKeys) await endApiKeysOf(tx, change.userId)
    if (!renewed) return { created: undefined, ended: [] }
    const ended = await tx.delete(sessions).where(eq(sessions.userId, change.userId)).returning({ id: sessions.id })
    const [created] = await tx
      .insert(sessions)
      .values({
        id: newId(),
        token: generateId(32),
        userId: change.userId,
        createdAt: now,
        expiresAt: new Date(now.getTime() + renewed.expiresIn * 1000),
        ipAddress: renewed.ipAddress ?? null,
        userAgent: renewed.userAgent ?? null,
      })
      .returning()
    if (!created) throw APIError.from('INTERNAL_SERVER_ERROR', BASE_ERROR_CODES.FAILED_TO_GET_SESSION)
    return { created, ended }
  })
  for (const { id } of ended) onSessionEnded(id)
  if (created) await onSignIn({ userId: change.userId, ip: created.ipAddress, isImpersonated: false })
  return created
}
