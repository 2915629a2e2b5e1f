import { createAuthEndpoint } from 'better-auth/api'
import * as z from 'zod'
import type { AuthDeps } from '../deps.ts'
import { deviceIn, isMarkedBy } from '../device.ts'
import { joinIdentifier, readJoin } from '../join-request.ts'

const LINKED = '/auth/signin?mode=linked'

/**
 * Joins a provider's account to the one with the same address. The link came to that address, and it works only in
 * the browser that came through the provider: one person holds both.
 */
export function joinAccountEndpoints({ secret, appUrl }: AuthDeps) {
  return {
    joinAccount: createAuthEndpoint(
      '/join-account',
      { method: 'GET', query: z.object({ token: z.string(), from: z.string().optional() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context
        const { token, from } = ctx.query
        const device = deviceIn(ctx.headers, appUrl)
        if (!isMarkedBy(secret, device, token, from ?? null)) throw ctx.redirect('/auth/signin?error=open_where_asked')
        const row = await internalAdapter.consumeVerificationValue(joinIdentifier(token))
        const join = row && row.expiresAt > new Date() ? readJoin(row.value) : null
        const user = join && (await internalAdapter.findUserById(join.userId))
        if (!join || !user?.emailVerified) throw ctx.redirect('/auth/signin?error=INVALID_TOKEN')
        const { userId, providerId, accountId } = join
        const accounts = await internalAdapter.findAccounts(userId)
        const isThere = accounts.some((account) => account.providerId === providerId && account.accountId === accountId)
        if (!isThere) await internalAdapter.linkAccount({ userId, providerId, accountId })
        throw ctx.redirect(LINKED)
      },
    ),
  }
}
