import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { and, eq, lt, sql } from 'drizzle-orm'
import { PENDING_MINUTES, TRUSTED_DAYS } from '#contract/auth-factors.ts'
import type { Db } from '#server/db/client.ts'
import { usedCodes } from '#server/db/schema.ts'
import { textOf } from '../compat/endpoint.ts'
import type { AuthDeps } from '../deps.ts'
import { callerOf, enrolmentEndpoints, type FactorNotices, factorNotices } from './enrolment.ts'
import { passkeyPlugin } from './passkeys.ts'
import { countTries, proofEndpoints, recordProof } from './proof.ts'
import { forgetTrustedDevices, guardedTwoFactor } from './require-second-factor.ts'

/** Errors of the two plugins in Russian; the page shows them as they are. */
const messages = new Map(
  Object.entries({
    INVALID_CODE: 'Код не подошёл. Проверьте время на телефоне и введите новый код.',
    INVALID_BACKUP_CODE: 'Этот код восстановления не подошёл или уже использован.',
    INVALID_TWO_FACTOR_COOKIE: 'Время второго шага вышло. Войдите заново.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Слишком много неверных кодов. Войдите заново.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Слишком много неверных кодов. Подождите 15\u00a0минут и войдите заново.',
    TOTP_ALREADY_ENABLED: 'Вход в два шага уже включён. Обновите страницу.',
    PASSKEY_NOT_FOUND: 'Этот ключ доступа здесь не зарегистрирован. Войдите другим способом.',
    AUTHENTICATION_FAILED: 'Ключ доступа не подошёл. Попробуйте ещё раз или войдите другим способом.',
    CHALLENGE_NOT_FOUND: 'Прошло слишком много времени. Попробуйте ещё раз.',
    FAILED_TO_VERIFY_REGISTRATION: 'Ключ доступа не добавился. Попробуйте ещё раз.',
  }),
)

export function translateError(returned: unknown): void {
  if (!(returned instanceof Error) || !('body' in returned)) return
  const body = returned.body as { code?: string; message?: string } | undefined
  const text = body?.code && messages.get(body.code)
  if (text && !/[а-яё]/i.test(body.message ?? '')) body.message = text
}

const CODE_PATHS = ['/two-factor/verify-totp', '/two-factor/verify-backup-code']

/** TOTP codes, recovery codes and passkeys: the library's two plugins and our hooks around them. */
export function secondFactor(deps: AuthDeps) {
  const notices = factorNotices(deps)
  return [
    guardedTwoFactor({
      issuer: deps.appName,
      allowPasswordless: true,
      twoFactorCookieMaxAge: PENDING_MINUTES * 60,
      trustDeviceMaxAge: TRUSTED_DAYS * 86_400,
    }),
    passkeyPlugin(deps),
    ownFactorPlugin(deps, notices),
  ] as const
}

function ownFactorPlugin(deps: AuthDeps, notices: FactorNotices) {
  return {
    id: 'second-factor',
    endpoints: { ...enrolmentEndpoints(deps, notices), ...proofEndpoints(deps) },
    hooks: {
      before: [
        { matcher: onPath(isFactorPath), handler: createAuthMiddleware(async (ctx) => rejectImpersonated(ctx)) },
        { matcher: onPath(isCodePath), handler: createAuthMiddleware(async (ctx) => beforeCode(ctx, deps)) },
      ],
      after: [
        {
          matcher: onPath(isFactorPath),
          handler: createAuthMiddleware(async (ctx) => translateError(ctx.context.returned)),
        },
        { matcher: onPath(isCodePath), handler: createAuthMiddleware(async (ctx) => afterCode(ctx, deps, notices)) },
        {
          matcher: onPath((path) => path === '/passkey/verify-authentication'),
          handler: createAuthMiddleware(async (ctx) => recordFactorProof(ctx, deps)),
        },
        {
          matcher: onPath((path) => path === '/passkey/generate-authenticate-options'),
          handler: createAuthMiddleware(async (ctx) => requireVerification(ctx.context.returned)),
        },
        {
          matcher: onPath((path) => path === '/passkey/verify-registration' || path === '/passkey/delete-passkey'),
          handler: createAuthMiddleware(async (ctx) => afterPasskeyChange(ctx, notices)),
        },
        {
          matcher: onPath((path) => endsOtherSessions.has(path)),
          handler: createAuthMiddleware(async (ctx) => {
            const session = !hasFailed(ctx) && (await getSessionFromCtx(ctx))
            if (session) await forgetTrustedDevices(deps.db, session.user.id)
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

const onPath =
  (matches: (path: string) => boolean) =>
  ({ path }: { path?: string | undefined }) =>
    path !== undefined && matches(path)
const isCodePath = (path: string) => CODE_PATHS.includes(path)
const isFactorPath = (path: string) => /^\/(?:two-factor|passkey|proof)(?:\/|$)/.test(path)
/** Ending the other sessions also removes their exemption from the second factor. */
const endsOtherSessions = new Set(['/revoke-other-sessions', '/change-password'])

const hasFailed = ({ context }: GenericEndpointContext) => 'returned' in context && context.returned instanceof Error

async function rejectImpersonated(ctx: GenericEndpointContext): Promise<void> {
  const session = ctx.request?.method === 'GET' ? null : await getSessionFromCtx(ctx)
  if (!session?.session.impersonatedBy) return
  throw APIError.from('FORBIDDEN', {
    code: 'impersonated',
    message: 'Пока вы смотрите глазами пользователя, менять его вход нельзя.',
  })
}

/** Wrong codes are counted per account, whatever browser they come from. */
async function beforeCode(ctx: GenericEndpointContext, deps: AuthDeps): Promise<void> {
  const userId = await accountOfCode(ctx)
  if (!userId) return
  await countTries(deps)(userId)
  if (
    ctx.path !== '/two-factor/verify-totp' ||
    (await markCodeUsed(deps.db, userId, textOf(ctx.body?.code).slice(0, 20)))
  )
    return
  throw APIError.from('UNAUTHORIZED', {
    code: 'CODE_ALREADY_USED',
    message: 'Этот код уже вводили. Дождитесь следующего кода в приложении.',
  })
}

async function afterCode(ctx: GenericEndpointContext, deps: AuthDeps, notices: FactorNotices): Promise<void> {
  if (hasFailed(ctx)) return
  const { newSession, session: oldSession } = ctx.context
  const session = newSession ?? (await getSessionFromCtx(ctx))
  if (!session) return
  await countTries(deps)(session.user.id, 'give back')
  await recordProof(deps.db, session.session.id, 'factor')
  // Inside a session only the first code of a new app creates a new session.
  if (newSession && oldSession) await notices.added(session.user.id, 'totp', callerOf(ctx))
}

async function recordFactorProof(ctx: GenericEndpointContext, deps: AuthDeps): Promise<void> {
  const session = ctx.context.newSession
  if (session && !hasFailed(ctx)) await recordProof(deps.db, session.session.id, 'factor')
}

function requireVerification(returned: unknown): void {
  if (returned && typeof returned === 'object' && 'userVerification' in returned) returned.userVerification = 'required'
}

async function afterPasskeyChange(ctx: GenericEndpointContext, notices: FactorNotices): Promise<void> {
  const session = !hasFailed(ctx) && (await getSessionFromCtx(ctx))
  if (!session) return
  const notify = ctx.path === '/passkey/delete-passkey' ? notices.removed : notices.added
  await notify(session.user.id, 'passkey', callerOf(ctx))
}

/** The account whose code is being tried: of the session, or of the first step taken in this browser. */
async function accountOfCode(ctx: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const cookie = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  if (!identifier) return null
  return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value ?? null
}

/** Longer than the library accepts a code: its own half minute and one on each side. */
const USED_CODE_MS = 3 * 60_000

/** False when it was used before. One statement, so that of two parallel attempts only one succeeds. */
export async function markCodeUsed(db: Db, userId: string, code: string): Promise<boolean> {
  const now = new Date()
  const old = new Date(now.getTime() - USED_CODE_MS)
  await db.delete(usedCodes).where(and(eq(usedCodes.userId, userId), lt(usedCodes.usedAt, old)))
  const taken = await db
    .insert(usedCodes)
    .values({ userId, code, usedAt: now })
    .onConflictDoNothing()
    .returning({ one: sql`1` })
  return taken.length > 0
}
