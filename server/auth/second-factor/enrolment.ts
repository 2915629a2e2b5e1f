import { randomInt } from 'node:crypto'
import type { GenericEndpointContext } from 'better-auth'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { TWO_FACTOR_ERROR_CODES } from 'better-auth/plugins/two-factor'
import { and, eq } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import * as z from 'zod'
import { twoFactors, users } from '#server/db/schema.ts'
import { sendInBackground } from '#server/email/mail.ts'
import { factorAddedEmail, factorRemovedEmail } from '#server/email/templates/security.ts'
import { newId } from '#server/lib/ids.ts'
import type { AuthDeps, Caller, Factor } from '../deps.ts'
import { removeFactors, removeTotp } from './require-second-factor.ts'

/** The library asks for a password here, which most users do not have. The contract requires a fresh proof instead. */
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
      await notices.removed(user.id, 'totp', callerOf(ctx))
      return ctx.json({ status: true })
    }),

    /** The contract decides who may call it and that it is audited; the library has no such call. */
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

export function callerOf({ headers }: Pick<GenericEndpointContext, 'headers'>) {
  return { ip: headers?.get('x-client-ip') ?? '', userAgent: headers?.get('user-agent') ?? null }
}

function keyAddress(issuer: string, account: string, key: string): string {
  const query = new URLSearchParams({ secret: key, issuer })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString().replaceAll('+', '%20')}`
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, as authenticator apps read keys. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

const RECOVERY_CODE_COUNT = 10
const RECOVERY_CODE_LENGTH = 10
/** Without characters that look like digits: recovery codes are typed from paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const code = Array.from({ length: RECOVERY_CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${code.slice(0, RECOVERY_CODE_LENGTH / 2)}-${code.slice(RECOVERY_CODE_LENGTH / 2)}`
  })
}

type Ctx = Pick<GenericEndpointContext, 'context'>

/** Encrypted as the library stores them; the library checks and consumes them. */
export function sealCodes({ context }: Ctx, codes: string[]): Promise<string> {
  return symmetricEncrypt({ key: context.secretConfig, data: JSON.stringify(codes) })
}

export async function countCodes({ context }: Ctx, sealed: string): Promise<number> {
  return (JSON.parse(await symmetricDecrypt({ key: context.secretConfig, data: sealed })) as string[]).length
}

export function factorNotices(deps: AuthDeps) {
  async function changed(action: 'added' | 'removed', userId: string, factor: Factor, caller?: Caller) {
    const [user] = await deps.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (!user) return
    const write = action === 'added' ? factorAddedEmail : factorRemovedEmail
    sendInBackground(deps, write({ to: user.email, appName: deps.appName, appUrl: deps.appUrl, factor }))
    // A reset by an admin is recorded as that admin's action.
    if (caller) await deps.onFactorChange?.({ action, userId, factor, ...caller })
  }
  return {
    added: (userId: string, factor: Factor, caller: Caller) => changed('added', userId, factor, caller),
    removed: (userId: string, factor: Factor, caller?: Caller) => changed('removed', userId, factor, caller),
  }
}

export type FactorNotices = ReturnType<typeof factorNotices>
