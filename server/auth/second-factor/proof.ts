import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { and, eq, exists, isNotNull, max, sql } from 'drizzle-orm'
import * as z from 'zod'
import { CODE_LENGTH, PROOF_MINUTES, type ProofWay } from '#contract/auth-factors.ts'
import type { Db } from '#server/db/client.ts'
import { accounts, adminGrace, passkeys, sessionProofs, sessions, users } from '#server/db/schema.ts'
import { canReceiveMail } from '#server/email/mail.ts'
import { proofCodeEmail } from '#server/email/templates/security.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { PROOF_REQUIRED } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import { verifiedCredential } from '../compat/passwords.ts'
import type { AdminFactor, AuthDeps } from '../deps.ts'
import { hasRole } from '../roles.ts'
import { passkeyProves } from './passkeys.ts'

export interface ProofState {
  userId: string
  role: string
  createdAt: Date
  provenAt: Date | null
  /** When a second factor was given in this session. */
  factorAt: Date | null
  hasTotp: boolean
  hasPasskey: boolean
  passwordAt: Date | null
}

/** A thief with a stolen session could set a password, so one that is newer than the session proves nothing in it. */
const isPasswordTooNew = ({ passwordAt, createdAt }: ProofState) => passwordAt !== null && passwordAt > createdAt

/** Null for a session that has ended. */
export async function readProofState(db: Db, sessionId: string): Promise<ProofState | null> {
  const ownPasskey = db.select({ one: sql`1` }).from(passkeys).where(eq(passkeys.userId, users.id))
  const passwordAt = db
    .select({ at: max(accounts.updatedAt) })
    .from(accounts)
    .where(and(eq(accounts.userId, users.id), isNotNull(accounts.password)))
  const [state] = await db
    .select({
      userId: users.id,
      role: users.role,
      createdAt: sessions.createdAt,
      provenAt: sessionProofs.provenAt,
      factorAt: sessionProofs.factorAt,
      hasTotp: users.twoFactorEnabled,
      hasPasskey: sql<boolean>`${exists(ownPasskey)}`,
      passwordAt: sql`${passwordAt}`.mapWith(accounts.updatedAt),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(sessionProofs, eq(sessionProofs.sessionId, sessions.id))
    .where(eq(sessions.id, sessionId))
  return state ?? null
}

/**
 * Users with TOTP must prove by a second factor. A passkey alone can be lost, so it is required only of admins, whose
 * factors another admin can reset.
 */
export function mustUseFactor({ hasTotp, hasPasskey }: ProofState, isAdmin: boolean): boolean {
  return hasTotp || (hasPasskey && isAdmin)
}

/** A sign-in a few minutes ago counts as a proof. */
export function isFresh(state: ProofState, isAdmin: boolean, now = Date.now()): boolean {
  const { createdAt, provenAt, factorAt } = state
  const counted = mustUseFactor(state, isAdmin) ? [factorAt] : [createdAt, provenAt]
  return counted.some((at) => at !== null && now - at.getTime() < PROOF_MINUTES * 60_000)
}

export async function recordProof(db: Db, sessionId: string, by: 'factor' | 'other'): Promise<void> {
  const now = new Date()
  const proof = by === 'factor' ? { provenAt: now, factorAt: now } : { provenAt: now }
  await db
    .insert(sessionProofs)
    .values({ sessionId, ...proof })
    .onConflictDoUpdate({ target: sessionProofs.sessionId, set: proof })
}

/** No factor is set up, or it was not used in this session. */
export type MissingFactor = 'factor' | 'proof' | null

const DAY_MS = 86_400_000

export function isAdminUser({ adminUserIds }: { adminUserIds?: string[] }, { userId, role }: ProofState): boolean {
  return hasRole(role, 'admin') || Boolean(adminUserIds?.includes(userId))
}

interface Deps {
  db: Db
  adminFactor?: AdminFactor
}

export function factorChecks({ db, adminFactor }: Deps) {
  return {
    /** Throws 403 unless the owner proved their identity within the last minutes, or does so in the call itself. */
    mustBeFresh: async ({ id, user }: CurrentSession, proof: 'fresh' | 'in-call'): Promise<void> => {
      const state = await readProofState(db, id)
      const isAdmin = user.role === 'admin'
      if (state && isFresh(state, isAdmin)) return
      if (state && proof === 'in-call' && !mustUseFactor(state, isAdmin) && !isPasswordTooNew(state)) return
      throw new AppError('proof_required', PROOF_REQUIRED)
    },

    /** What an admin lacks after the grace period. */
    lacksFactor: async (session: CurrentSession): Promise<MissingFactor> => {
      if (!adminFactor?.required) return null
      const need = await neededFactor(db, session.id, adminFactor.graceDays)
      return need === 0 ? 'factor' : need === 'proof' ? 'proof' : null
    },

    /** Days an admin has left to add a factor; null when nothing has to be added. */
    daysLeft: async (session: CurrentSession): Promise<number | null> => {
      if (!adminFactor?.required || session.user.role !== 'admin') return null
      const need = await neededFactor(db, session.id, adminFactor.graceDays)
      return typeof need === 'number' ? need : null
    },
  }
}

export type FactorChecks = ReturnType<typeof factorChecks>

/** Days left, or 'proof' when a passkey exists but was not used: a session opened by an email link has not seen it. */
async function neededFactor(db: Db, sessionId: string, graceDays: number): Promise<number | 'proof' | null> {
  const state = await readProofState(db, sessionId)
  if (!state) return 0
  if (state.hasTotp || (state.hasPasskey && state.factorAt)) return null
  if (state.hasPasskey) return 'proof'
  const since = await graceSince(db, state.userId)
  return Math.max(0, Math.ceil((since.getTime() + graceDays * DAY_MS - Date.now()) / DAY_MS))
}

/** For existing admins the grace period begins with the first start that requires a second factor. */
export async function startGrace(db: Db, { required }: AdminFactor): Promise<void> {
  if (!required) return
  await db.execute(sql`
    insert into ${adminGrace} (user_id, since)
    select id, now() from ${users} where is_acting_admin(role, banned)
    on conflict do nothing`)
}

async function graceSince(db: Db, userId: string): Promise<Date> {
  await db.insert(adminGrace).values({ userId, since: new Date() }).onConflictDoNothing()
  const [row] = await db.select().from(adminGrace).where(eq(adminGrace.userId, userId))
  return row?.since ?? new Date()
}

const CODE_MS = 10 * 60_000
const NEW_PASSWORD = {
  code: 'PASSWORD_TOO_NEW',
  message: 'Этот пароль задали уже после входа, поэтому им подтвердить нельзя. Выберите другой способ.',
}
const INVALID_CODE = { code: 'INVALID_CODE', message: 'Код не подошёл. Проверьте его и попробуйте ещё раз.' }

/** Counts codes and passwords per account: a quarter of an hour is short enough to guess six digits within months. */
export const countTries =
  ({ limits }: Pick<AuthDeps, 'limits'>) =>
  async (userId: string, action?: 'give back'): Promise<void> => {
    await limits?.('second-factor', userId, action)
    await limits?.('second-factor-day', userId, action)
  }

/** How the owner of a session confirms their identity. A TOTP code is checked by the library's own endpoints. */
export function proofEndpoints(deps: AuthDeps) {
  const { db } = deps
  const use = [sensitiveSessionMiddleware]
  const tries = countTries(deps)
  return {
    proofState: createAuthEndpoint('/proof', { method: 'GET', use }, async (ctx) => {
      const { session, user } = ctx.context.session
      const state = await readProofState(db, session.id)
      if (!state) throw new APIError('UNAUTHORIZED')
      const isAdmin = isAdminUser(deps, state)
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
        const state = await readProofState(db, session.id)
        if (!state || isPasswordTooNew(state)) throw APIError.from('FORBIDDEN', NEW_PASSWORD)
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
      await deps.limits?.('links-address', user.email)
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
  const { hasTotp, hasPasskey, passwordAt } = state
  const factors: ProofWay[] = [...(hasTotp ? ['code' as const] : []), ...(hasPasskey ? ['passkey' as const] : [])]
  if (mustUseFactor(state, isAdmin)) return factors
  return [
    ...factors,
    ...(passwordAt && !isPasswordTooNew(state) ? ['password' as const] : []),
    ...(canReceiveMail(email) ? ['email' as const] : []),
  ]
}
