import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import * as z from 'zod'
import { CODE_LENGTH, type ProofWay } from '#contract/auth-factors.ts'
import { canReceiveMail } from '#server/email/mail.ts'
import { proofCodeEmail } from '#server/email/templates/security.ts'
import { verifiedCredential } from '../compat/passwords.ts'
import type { AuthDeps } from '../deps.ts'
import { passkeyProves } from './passkeys.ts'
import { isFresh, mustUseFactor, type ProofState, readProofState, recordProof } from './proof.ts'
import { isAdminHere } from './requirement.ts'

const CODE_MS = 10 * 60_000
const INVALID_CODE = { code: 'INVALID_CODE', message: 'Код не подошёл. Проверьте его и попробуйте ещё раз.' }

/** How the owner of a session confirms their identity. A TOTP code is checked by the library's own endpoints. */
export function proofEndpoints(deps: AuthDeps) {
  const { db } = deps
  const use = [sensitiveSessionMiddleware]
  const tries = (userId: string, action?: 'give back') => deps.limits?.('second-factor', userId, action)
  return {
    proofState: createAuthEndpoint('/proof', { method: 'GET', use }, async (ctx) => {
      const { session, user } = ctx.context.session
      const state = await readProofState(db, session.id)
      if (!state) throw new APIError('UNAUTHORIZED')
      const isAdmin = isAdminHere(deps, state)
      return ctx.json({
        fresh: isFresh(state, isAdmin),
        ways: waysOf(state, isAdmin, user.email),
        email: user.email,
      })
    }),

    provePassword: createAuthEndpoint(
      '/proof/password',
      { method: 'POST', body: z.object({ password: z.string() }), use },
      async (ctx) => {
        const { session, user } = ctx.context.session
        await tries(user.id)
        await verifiedCredential(ctx, user.id, ctx.body.password)
        await tries(user.id, 'give back')
        await recordProof(db, session.id, 'other')
        return ctx.json({ status: true })
      },
    ),

    provePasskey: createAuthEndpoint(
      '/proof/passkey',
      { method: 'POST', body: z.object({ response: z.record(z.string(), z.unknown()) }), use },
      async (ctx) => {
        const { session, user } = ctx.context.session
        if (!(await passkeyProves(ctx, deps, user.id, ctx.body.response)))
          throw APIError.from('UNAUTHORIZED', {
            code: 'PASSKEY_FAILED',
            message: 'Ключ доступа не подошёл. Попробуйте ещё раз или выберите другой способ.',
          })
        await recordProof(db, session.id, 'factor')
        return ctx.json({ status: true })
      },
    ),

    sendProofCode: createAuthEndpoint('/proof/send-code', { method: 'POST', use }, async (ctx) => {
      const { session, user } = ctx.context.session
      if (!canReceiveMail(user.email))
        throw APIError.from('BAD_REQUEST', {
          code: 'NO_MAIL',
          message: 'На эту почту письма не доходят. Войдите заново.',
        })
      await deps.limits?.('proof-emails', user.id)
      const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
      const identifier = identifierOf(session.id)
      const { internalAdapter } = ctx.context
      await internalAdapter.deleteVerificationByIdentifier(identifier)
      await internalAdapter.createVerificationValue({
        identifier,
        value: sealed(deps, session.id, code),
        expiresAt: new Date(Date.now() + CODE_MS),
      })
      await deps.mail(proofCodeEmail({ to: user.email, appName: deps.appName, code }))
      return ctx.json({ status: true })
    }),

    proveEmailCode: createAuthEndpoint(
      '/proof/email-code',
      { method: 'POST', body: z.object({ code: z.string() }), use },
      async (ctx) => {
        const { session, user } = ctx.context.session
        await tries(user.id)
        const stored = await ctx.context.internalAdapter.findVerificationValue(identifierOf(session.id))
        const given = Buffer.from(sealed(deps, session.id, ctx.body.code.trim()))
        const right = stored && stored.expiresAt > new Date() && timingSafeEqual(Buffer.from(stored.value), given)
        if (!right) throw APIError.from('UNAUTHORIZED', INVALID_CODE)
        await ctx.context.internalAdapter.deleteVerificationByIdentifier(identifierOf(session.id))
        await tries(user.id, 'give back')
        await recordProof(db, session.id, 'other')
        return ctx.json({ status: true })
      },
    ),
  }
}

const identifierOf = (sessionId: string) => `proof-code-${sessionId}`
const sealed = ({ secret }: AuthDeps, sessionId: string, code: string) =>
  createHmac('sha256', secret).update(`proof-code ${sessionId} ${code}`).digest('base64url')

function waysOf(state: ProofState, isAdmin: boolean, email: string): ProofWay[] {
  const { hasTotp, hasPasskey, hasPassword } = state
  const factors: ProofWay[] = [...(hasTotp ? ['code' as const] : []), ...(hasPasskey ? ['passkey' as const] : [])]
  if (mustUseFactor(state, isAdmin)) return factors
  return [
    ...factors,
    ...(hasPassword ? ['password' as const] : []),
    ...(canReceiveMail(email) ? ['email' as const] : []),
  ]
}
