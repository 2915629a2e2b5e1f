import type { GenericEndpointContext } from 'better-auth'
import { BASE_ERROR_CODES } from 'better-auth'
import { APIError, getSessionFromCtx } from 'better-auth/api'

export interface WhichAccount {
  providerId?: string | undefined
  /** The provider's id of the account, as the specification has it, or the id of our row, as the library has it. */
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

/** The session's user; only code inside the server, which sends no headers, may name another. */
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
