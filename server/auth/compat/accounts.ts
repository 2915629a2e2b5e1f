import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import {
  APIError,
  accountInfo,
  createAuthEndpoint,
  deleteUser,
  deleteUserCallback,
  getAccessToken,
  getSessionFromCtx,
  refreshToken,
  sensitiveSessionMiddleware,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import { canReceiveMail } from '#server/email/mail.ts'
import { PROOF_REQUIRED } from '#server/http/route.ts'
import type { AuthDeps } from '../deps.ts'
import { isAdminUser, isFresh, readProofState } from '../second-factor/proof.ts'
import { innerContext } from './endpoint.ts'
import { verifiedCredential } from './passwords.ts'

const Which = z.object({ providerId: z.string().optional(), accountId: z.string().optional() })
const WhichOf = Which.extend({ userId: z.string().optional() })

/** Linked accounts with the bodies of the specification; the library accepts only the id of its own row. */
export const accountEndpoints = {
  unlinkAccount: createAuthEndpoint(
    '/unlink-account',
    { method: 'POST', body: Which, use: [sensitiveSessionMiddleware] },
    async (ctx) => {
      const accounts = await ctx.context.internalAdapter.findAccounts(ctx.context.session.user.id)
      if (accounts.length === 1) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.FAILED_TO_UNLINK_LAST_ACCOUNT)
      const account = accounts.find((candidate) => matches(candidate, ctx.body))
      if (!account) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.ACCOUNT_NOT_FOUND)
      await ctx.context.internalAdapter.deleteAccount(account.id)
      return ctx.json({ status: true })
    },
  ),

  getAccessToken: createAuthEndpoint('/get-access-token', { method: 'POST', body: WhichOf }, async (ctx) => {
    const { body } = await rowOf(ctx, ctx.body)
    const { accessToken, accessTokenExpiresAt, scopes, idToken } = await getAccessToken({ ...innerContext(ctx), body })
    return ctx.json({ accessToken, accessTokenExpiresAt, scopes, idToken: idToken ?? null })
  }),

  refreshToken: createAuthEndpoint('/refresh-token', { method: 'POST', body: WhichOf }, async (ctx) => {
    const { body } = await rowOf(ctx, ctx.body)
    const { accessToken, accessTokenExpiresAt, scope, idToken } = await refreshToken({ ...innerContext(ctx), body })
    return ctx.json({ accessToken, accessTokenExpiresAt, scopes: splitScopes(scope), idToken: idToken ?? null })
  }),

  accountInfoByPost: createAuthEndpoint(
    '/account-info',
    { method: 'POST', body: z.object({ accountId: z.string() }) },
    async (ctx) => {
      const account = await ownAccount(ctx, await callerId(ctx, undefined), ctx.body)
      const info = await accountInfo({
        ...innerContext(ctx),
        method: 'GET',
        body: undefined,
        query: { accountId: account.id },
      })
      return ctx.json({ user: { ...info.user, id: account.accountId }, data: info.data })
    },
  ),
}

async function rowOf(ctx: GenericEndpointContext, { providerId, accountId, userId }: z.infer<typeof WhichOf>) {
  const caller = await callerId(ctx, userId)
  if (providerId !== undefined && !ctx.context.socialProviders.some(({ id }) => id === providerId)) {
    throw APIError.from('BAD_REQUEST', {
      code: 'PROVIDER_NOT_SUPPORTED',
      message: `Provider ${providerId} is not supported.`,
    })
  }
  const account = await ownAccount(ctx, caller, { providerId, accountId })
  return { body: { accountId: account.id, userId: caller } }
}

function splitScopes(scope: string | null | undefined): string[] {
  return (scope ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

interface WhichAccount {
  providerId?: string | undefined
  /** The provider's id of the account (specification) or the id of our row (library). */
  accountId?: string | undefined
}

function matches(account: { id: string; providerId: string; accountId: string }, which: WhichAccount): boolean {
  const { providerId, accountId } = which
  if (providerId === undefined && accountId === undefined) return false
  if (providerId !== undefined && account.providerId !== providerId) return false
  return accountId === undefined || account.accountId === accountId || account.id === accountId
}

async function ownAccount(ctx: GenericEndpointContext, userId: string, which: WhichAccount) {
  const accounts = await ctx.context.internalAdapter.findAccounts(userId)
  const account = accounts.find((candidate) => matches(candidate, which))
  if (!account) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.ACCOUNT_NOT_FOUND)
  return account
}

/** Only code inside the server, which sends no headers, may name another user. */
async function callerId(ctx: GenericEndpointContext, userId: string | undefined): Promise<string> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  if (userId && (ctx.request || ctx.headers)) {
    throw APIError.from('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Unauthorized' })
  }
  if (userId) return userId
  throw APIError.from('BAD_REQUEST', {
    code: 'USER_ID_OR_SESSION_REQUIRED',
    message: 'Either userId or session is required',
  })
}

const deleted = { success: true, message: 'User deleted' }

/**
 * Deletes an account as specified: a password or a token proves the owner at once; without either the session must be
 * fresh, and an email asks for confirmation. The library would send the email in every case.
 */
export const deleteUserEndpoints = (deps: AuthDeps) => ({
  deleteUser: createAuthEndpoint(
    '/delete-user',
    {
      method: 'POST',
      body: z.object({
        callbackURL: z.string().optional(),
        password: z.string().optional(),
        token: z.string().optional(),
      }),
      use: [sensitiveSessionMiddleware],
    },
    async (ctx) => {
      if (!ctx.context.options.user?.deleteUser?.enabled) throw new APIError('NOT_FOUND')
      const { session, user } = ctx.context.session
      const { password, token } = ctx.body
      if (password) await verifiedCredential(ctx, user.id, password)
      if (token) {
        await deleteUserCallback({ ...innerContext(ctx), method: 'GET', body: undefined, query: { token } })
        deleteSessionCookie(ctx)
        return ctx.json(deleted)
      }
      if (!password) {
        await assertFresh(ctx, deps, session)
        if (canReceiveMail(user.email)) return ctx.json(await deleteUser(innerContext(ctx)))
      }
      await ctx.context.internalAdapter.deleteUser(user.id)
      deleteSessionCookie(ctx)
      return ctx.json(deleted)
    },
  ),
})

/** The specification has a code for an old session; in a younger one the page asks for a proof. */
async function assertFresh(ctx: GenericEndpointContext, deps: AuthDeps, session: { id: string; createdAt: Date }) {
  const state = await readProofState(deps.db, session.id)
  if (state && isFresh(state, isAdminUser(deps, state))) return
  const isOld = Date.now() - session.createdAt.getTime() >= ctx.context.sessionConfig.freshAge * 1000
  if (isOld) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.SESSION_EXPIRED)
  throw APIError.from('FORBIDDEN', { code: 'proof_required', message: PROOF_REQUIRED })
}
