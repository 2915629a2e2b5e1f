import type { GenericEndpointContext } from 'better-auth'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { generateRandomString, symmetricEncrypt } from 'better-auth/crypto'
import { TWO_FACTOR_ERROR_CODES } from 'better-auth/plugins/two-factor'
import { and, eq } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import * as z from 'zod'
import { twoFactors, users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { AuthDeps } from '../deps.ts'
import type { FactorNotices } from './notices.ts'
import { countCodes, newRecoveryCodes, sealCodes } from './recovery-codes.ts'
import { removeFactors, removeTotp } from './removal.ts'

/**
 * The library asks for a password here, which most people do not have. These have the fresh proof of the contract
 * in front of them instead, and leave the session as it is.
 */
export function enrolmentEndpoints(deps: AuthDeps, notices: FactorNotices) {
  const { db } = deps
  const use = [sensitiveSessionMiddleware]
  return {
    factorState: createAuthEndpoint('/two-factor/state', { method: 'GET', use }, async (ctx) => {
      const { user } = ctx.context.session
      const [row] = await db.select().from(twoFactors).where(confirmed(user.id))
      const codesLeft = row ? await countCodes(ctx, row.backupCodes) : 0
      return ctx.json({ enabled: row !== undefined, codesLeft, required: deps.adminFactor?.required ?? false })
    }),

    enableTwoFactor: createAuthEndpoint('/two-factor/enable', { method: 'POST', use }, async (ctx) => {
      const { user } = ctx.context.session
      const secret = generateRandomString(32)
      const codes = newRecoveryCodes()
      const fields = {
        secret: await symmetricEncrypt({ key: ctx.context.secretConfig, data: secret }),
        backupCodes: await sealCodes(ctx, codes),
      }
      const written = await db
        .insert(twoFactors)
        .values({ id: newId(), userId: user.id, ...fields })
        .onConflictDoUpdate({ target: twoFactors.userId, set: fields, setWhere: eq(twoFactors.verified, false) })
        .returning({ id: twoFactors.id })
      if (written.length === 0) throw APIError.from('BAD_REQUEST', TWO_FACTOR_ERROR_CODES.TOTP_ALREADY_ENABLED)
      const key = base32(secret)
      const totpURI = keyAddress(deps.appName, user.email, key)
      return ctx.json({ totpURI, key, qr: renderSVG(totpURI, { border: 2 }), backupCodes: codes })
    }),

    generateBackupCodes: createAuthEndpoint(
      '/two-factor/generate-backup-codes',
      { method: 'POST', use },
      async (ctx) => {
        const codes = newRecoveryCodes()
        const changed = await db
          .update(twoFactors)
          .set({ backupCodes: await sealCodes(ctx, codes) })
          .where(confirmed(ctx.context.session.user.id))
          .returning({ id: twoFactors.id })
        if (changed.length === 0) throw notEnabled()
        return ctx.json({ status: true, backupCodes: codes })
      },
    ),

    disableTwoFactor: createAuthEndpoint('/two-factor/disable', { method: 'POST', use }, async (ctx) => {
      const { user } = ctx.context.session
      if (!(await removeTotp(db, user.id))) throw notEnabled()
      await notices.removed(user.id, 'totp', caller(ctx))
      return ctx.json({ status: true })
    }),

    /** Who may call it, and that it is written down, is the contract's word; the library has no such call. */
    resetSecondFactor: createAuthEndpoint(
      '/admin/reset-second-factor',
      { method: 'POST', body: z.object({ userId: z.string() }), use },
      async (ctx) => {
        const [person] = await db.select({ id: users.id }).from(users).where(eq(users.id, ctx.body.userId))
        if (!person) throw APIError.from('NOT_FOUND', { code: 'USER_NOT_FOUND', message: 'Такого пользователя нет.' })
        if (await removeFactors(db, person.id)) await notices.removed(person.id, 'all')
        await ctx.context.internalAdapter.deleteUserSessions(person.id)
        return ctx.json({ success: true })
      },
    ),
  }
}

const confirmed = (userId: string) => and(eq(twoFactors.userId, userId), eq(twoFactors.verified, true))
const notEnabled = () => APIError.from('BAD_REQUEST', TWO_FACTOR_ERROR_CODES.TWO_FACTOR_NOT_ENABLED)

export function caller({ headers }: Pick<GenericEndpointContext, 'headers'>) {
  return { ip: headers?.get('x-client-ip') ?? '', userAgent: headers?.get('user-agent') ?? null }
}

function keyAddress(issuer: string, account: string, key: string): string {
  const query = new URLSearchParams({ secret: key, issuer })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString().replaceAll('+', '%20')}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, as authenticator apps read keys. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
