import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  deleteUser,
  deleteUserCallback,
  sensitiveSessionMiddleware,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import { canReceiveMail } from '#server/email/mail.ts'
import { inner } from './inner.ts'
import { verifiedCredential } from './passwords.ts'

const deleted = { success: true, message: 'User deleted' }

/**
 * Deletes an account as specified: a password or a token proves the owner at once; without either the session must be
 * fresh, and an email asks for confirmation. The library would send the email in every case.
 */
export const deleteUserEndpoints = {
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
        await deleteUserCallback({ ...inner(ctx), method: 'GET', body: undefined, query: { token } })
        deleteSessionCookie(ctx)
        return ctx.json(deleted)
      }
      if (!password) {
        if (!isFresh(ctx, session.createdAt)) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.SESSION_EXPIRED)
        if (canReceiveMail(user.email)) return ctx.json(await deleteUser(inner(ctx)))
      }
      await ctx.context.internalAdapter.deleteUser(user.id)
      deleteSessionCookie(ctx)
      return ctx.json(deleted)
    },
  ),
}

function isFresh({ context }: GenericEndpointContext, createdAt: Date): boolean {
  return Date.now() - createdAt.getTime() < context.sessionConfig.freshAge * 1000
}
