import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import {
  APIError,
  accountInfo,
  createAuthEndpoint,
  freshSessionMiddleware,
  getAccessToken,
  getSessionFromCtx,
  refreshToken,
} from 'better-auth/api'
import * as z from 'zod'
import { inner } from './inner.ts'

const Which = z.object({ providerId: z.string().optional(), accountId: z.string().optional() })
const WhichOf = Which.extend({ userId: z.string().optional() })

/** Linked accounts with the bodies of the specification; the library accepts only the id of its own row. */
export const accountEndpoints = {
  unlinkAccount: createAuthEndpoint(
    '/unlink-account',
    { method: 'POST', body: Which, use: [freshSessionMiddleware] },
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
    const { accessToken, accessTokenExpiresAt, scopes, idToken } = await getAccessToken({ ...inner(ctx), body })
    return ctx.json({ accessToken, accessTokenExpiresAt, scopes, idToken })
  }),

  refreshToken: createAuthEndpoint('/refresh-token', { method: 'POST', body: WhichOf }, async (ctx) => {
    const { body } = await rowOf(ctx, ctx.body)
    const { accessToken, accessTokenExpiresAt, scope, idToken } = await refreshToken({ ...inner(ctx), body })
    return ctx.json({ accessToken, accessTokenExpiresAt, scopes: splitScopes(scope), idToken })
  }),

  accountInfoByPost: createAuthEndpoint(
    '/account-info',
    { method: 'POST', body: z.object({ accountId: z.string() }) },
    async (ctx) => {
      const account = await ownAccount(ctx, await callerId(ctx, undefined), ctx.body)
      const info = await accountInfo({
        ...inner(ctx),
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

export interface WhichAccount {
  providerId?: string | undefined
  /** The provider's id of the account (specification) or the id of our row (library). */
  accountId?: string | undefined
}

export function matches(account: { id: string; providerId: string; accountId: string }, which: WhichAccount): boolean {
  const { providerId, accountId } = which
  if (providerId === undefined && accountId === undefined) return false
  if (providerId !== undefined && account.providerId !== providerId) return false
  return accountId === undefined || account.accountId === accountId || account.id === accountId
}

export async function ownAccount(ctx: GenericEndpointContext, userId: string, which: WhichAccount) {
  const accounts = await ctx.context.internalAdapter.findAccounts(userId)
  const account = accounts.find((candidate) => matches(candidate, which))
  if (!account) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.ACCOUNT_NOT_FOUND)
  return account
}

/** The session's user. Only code inside the server, which sends no headers, may name another user. */
export async function callerId(ctx: GenericEndpointContext, userId: string | undefined): Promise<string> {
  const session = await getSessionFromCtx(ctx)
  if (!session && (ctx.request || ctx.headers)) {
    throw APIError.from('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Unauthorized' })
  }
  const id = session?.user.id ?? userId
  if (id) return id
  throw APIError.from('BAD_REQUEST', {
    code: 'USER_ID_OR_SESSION_REQUIRED',
    message: 'Either userId or session is required',
  })
}
