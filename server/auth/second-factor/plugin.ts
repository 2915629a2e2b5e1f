import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { PENDING_MINUTES, TRUSTED_DAYS } from '#contract/auth-factors.ts'
import type { AuthDeps } from '../deps.ts'
import { textOf } from '../text-of.ts'
import { caller, enrolmentEndpoints } from './enrolment.ts'
import { inRussian } from './error-texts.ts'
import { type FactorNotices, factorNotices } from './notices.ts'
import { passkeyPlugin } from './passkeys.ts'
import { recordProof } from './proof.ts'
import { proofEndpoints } from './proof-endpoints.ts'
import { forgetTrustedDevices } from './removal.ts'
import { takeCode } from './used-codes.ts'
import { guardedTwoFactor } from './ways-in.ts'

const CODE_PATHS = ['/two-factor/verify-totp', '/two-factor/verify-backup-code']

/** Codes of an app, recovery codes and passkeys: the library's two plugins, and ours around them. */
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
    aroundTheLibrary(deps, notices),
  ] as const
}

function aroundTheLibrary(deps: AuthDeps, notices: FactorNotices) {
  return {
    id: 'second-factor',
    endpoints: { ...enrolmentEndpoints(deps, notices), ...proofEndpoints(deps) },
    hooks: {
      before: [
        { matcher: of(isFactorPath), handler: createAuthMiddleware(async (ctx) => rejectImpersonated(ctx)) },
        { matcher: of(isCodePath), handler: createAuthMiddleware(async (ctx) => beforeCode(ctx, deps)) },
      ],
      after: [
        { matcher: of(isFactorPath), handler: createAuthMiddleware(async (ctx) => inRussian(ctx.context.returned)) },
        { matcher: of(isCodePath), handler: createAuthMiddleware(async (ctx) => afterCode(ctx, deps, notices)) },
        {
          matcher: of((path) => path === '/passkey/verify-authentication'),
          handler: createAuthMiddleware(async (ctx) => proven(ctx, deps)),
        },
        {
          matcher: of((path) => path === '/passkey/generate-authenticate-options'),
          handler: createAuthMiddleware(async (ctx) => requireVerification(ctx.context.returned)),
        },
        {
          matcher: of((path) => path === '/passkey/verify-registration' || path === '/passkey/delete-passkey'),
          handler: createAuthMiddleware(async (ctx) => afterPasskeyChange(ctx, notices)),
        },
        {
          matcher: of((path) => endsOtherSessions.has(path)),
          handler: createAuthMiddleware(async (ctx) => {
            const session = !failed(ctx) && (await getSessionFromCtx(ctx))
            if (session) await forgetTrustedDevices(deps.db, session.user.id)
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

const of =
  (matches: (path: string) => boolean) =>
  ({ path }: { path?: string | undefined }) =>
    path !== undefined && matches(path)
const isCodePath = (path: string) => CODE_PATHS.includes(path)
const isFactorPath = (path: string) => /^\/(?:two-factor|passkey|proof)(?:\/|$)/.test(path)
/** Whoever ends the sessions of others wants those browsers out: they must not be trusted with the second step. */
const endsOtherSessions = new Set(['/revoke-other-sessions', '/change-password'])

const failed = ({ context }: GenericEndpointContext) => 'returned' in context && context.returned instanceof Error

async function rejectImpersonated(ctx: GenericEndpointContext): Promise<void> {
  const session = ctx.request?.method === 'GET' ? null : await getSessionFromCtx(ctx)
  if (!session?.session.impersonatedBy) return
  throw APIError.from('FORBIDDEN', {
    code: 'impersonated',
    message: 'Пока вы смотрите глазами пользователя, менять его вход нельзя.',
  })
}

/** Wrong codes are counted by whose they are, whatever browser and first step they come from. */
async function beforeCode(ctx: GenericEndpointContext, deps: AuthDeps): Promise<void> {
  const userId = await subjectOf(ctx)
  if (!userId) return
  await deps.limits?.('second-factor', userId)
  if (ctx.path !== '/two-factor/verify-totp' || (await takeCode(deps.db, userId, textOf(ctx.body?.code).slice(0, 20))))
    return
  throw APIError.from('UNAUTHORIZED', {
    code: 'CODE_ALREADY_USED',
    message: 'Этот код уже вводили. Дождитесь следующего кода в приложении.',
  })
}

async function afterCode(ctx: GenericEndpointContext, deps: AuthDeps, notices: FactorNotices): Promise<void> {
  if (failed(ctx)) return
  const { newSession, session: oldSession } = ctx.context
  const session = newSession ?? (await getSessionFromCtx(ctx))
  if (!session) return
  await deps.limits?.('second-factor', session.user.id, 'give back')
  await recordProof(deps.db, session.session.id, 'factor')
  // Inside a session only the first code of a new app makes another one.
  if (newSession && oldSession) await notices.added(session.user.id, 'totp', caller(ctx))
}

async function proven(ctx: GenericEndpointContext, deps: AuthDeps): Promise<void> {
  const session = ctx.context.newSession
  if (session && !failed(ctx)) await recordProof(deps.db, session.session.id, 'factor')
}

function requireVerification(returned: unknown): void {
  if (returned && typeof returned === 'object' && 'userVerification' in returned) returned.userVerification = 'required'
}

async function afterPasskeyChange(ctx: GenericEndpointContext, notices: FactorNotices): Promise<void> {
  const session = !failed(ctx) && (await getSessionFromCtx(ctx))
  if (!session) return
  const notify = ctx.path === '/passkey/delete-passkey' ? notices.removed : notices.added
  await notify(session.user.id, 'passkey', caller(ctx))
}

/** Whose code is being tried: the owner of the session, or of the first step taken in this browser. */
async function subjectOf(ctx: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const cookie = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  if (!identifier) return null
  return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value ?? null
}
