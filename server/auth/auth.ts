import type { BetterAuthOptions, GenericEndpointContext } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
// Without Kysely, a second library for databases that would only take memory.
import { betterAuth } from 'better-auth/minimal'
import { admin, magicLink } from 'better-auth/plugins'
import { createAccessControl } from 'better-auth/plugins/access'
import { genericOAuth, yandex } from 'better-auth/plugins/generic-oauth'
import { MAGIC_LINK_MINUTES, PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import type { SocialProviderId } from '#contract/social-providers.ts'
import { accounts, passkeys, sessions, twoFactors, users, verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { Log } from '#server/lib/log.ts'
import { compat } from './compat/plugin.ts'
import { BASE_PATH } from './compat/responses.ts'
import type { AuthDeps } from './deps.ts'
import { type NewSession, noteSignIn } from './devices.ts'
import { createEmails, type Emails } from './emails.ts'
import { createLinkingCheck } from './linking.ts'
import { hashToken } from './links.ts'
import type { ProviderKeys } from './provider-ids.ts'
import { promoteIfDue } from './roles.ts'
import { secondFactor } from './second-factor/plugin.ts'

/** The specification's table of permissions, section 6. */
const permissions = {
  user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'get', 'update'],
  session: ['list', 'revoke', 'delete'],
} as const

export const accessControl = createAccessControl(permissions)

export const roles = {
  admin: accessControl.newRole({ user: [...permissions.user], session: [...permissions.session] }),
  user: accessControl.newRole({ user: [], session: [] }),
}

export type { AuthDeps } from './deps.ts'
export type Auth = ReturnType<typeof createAuth>

/**
 * Under https, authentication cookies use the `__Host-` prefix, so no other host of the domain can set them. The
 * library only knows `__Secure-`, so its option is off and name and `Secure` are set here.
 */
const cookieOptions = (appUrl: string) =>
  appUrl.startsWith('https:')
    ? { useSecureCookies: false, cookiePrefix: '__Host-better-auth', defaultCookieAttributes: { secure: true } }
    : {}

const STATE_SECONDS = 600
const HOUR = 3600

const advanced = {
  // Under a test runner the library disables its origin check; tests must run with it.
  disableOriginCheck: false,
  database: { generateId: () => newId() },
  ipAddress: { ipAddressHeaders: ['x-client-ip'] },
  cookies: { state: { attributes: { maxAge: STATE_SECONDS } } },
}

export function createAuth(deps: AuthDeps) {
  const emails = createEmails(deps)
  const { providers = [], trustedProviders = [], trustedOrigins = [deps.appUrl] } = deps
  return betterAuth({
    appName: deps.appName,
    baseURL: deps.appUrl,
    basePath: BASE_PATH,
    secret: deps.secret,
    trustedOrigins,
    telemetry: { enabled: false },
    // Not used by our pages: the first answers whether a password is right, the second changes a session.
    disabledPaths: ['/verify-password', '/update-session'],
    // Our own limits run before the library and also cover calls that it does not limit.
    rateLimit: { enabled: false },
    logger: libraryLog(deps.log),
    // Unexpected errors go to the server's error handler.
    onAPIError: { throw: true },
    database: drizzleAdapter(deps.db, {
      provider: 'pg',
      schema: {
        ...{ user: users, session: sessions, account: accounts, verification: verifications },
        ...{ twoFactor: twoFactors, passkey: passkeys },
      },
      transaction: true,
    }),
    ...confirmationOptions(deps, emails),
    socialProviders: builtInProviders(providers),
    account: {
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, trustedProviders: [...linkableProviders, ...trustedProviders] },
    },
    plugins: [
      magicLink({
        storeToken: { type: 'custom-hasher', hash: async (token) => hashToken(token) },
        expiresIn: MAGIC_LINK_MINUTES * 60,
        sendMagicLink: emails.signIn,
      }),
      admin({
        ac: accessControl,
        roles,
        adminUserIds: deps.adminUserIds ?? [],
        bannedUserMessage: 'Аккаунт заблокирован. Если это ошибка, напишите в поддержку.',
      }),
      pluginProviders(providers),
      compat(deps, emails),
      ...secondFactor(deps),
    ],
    databaseHooks: sessionHooks(deps),
    advanced: { ...advanced, ...cookieOptions(deps.appUrl) },
  })
}

function confirmationOptions(deps: AuthDeps, emails: Emails) {
  const { passwords } = deps
  return {
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      requireEmailVerification: true,
      resetPasswordTokenExpiresIn: HOUR,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: emails.passwordReset,
      ...(passwords ? { password: passwords } : {}),
    },
    emailVerification: {
      expiresIn: HOUR,
      sendOnSignIn: true,
      sendVerificationEmail: emails.verification,
    },
    user: {
      validateUserInfo: createLinkingCheck(deps, emails),
      additionalFields: { lastSeenAt: { type: 'date', required: false, input: false } },
      changeEmail: {
        enabled: true,
        updateEmailWithoutVerification: true,
        sendChangeEmailConfirmation: emails.confirmChange,
      },
      deleteUser: {
        enabled: true,
        deleteTokenExpiresIn: 24 * HOUR,
        sendDeleteAccountVerification: emails.deleteAccount,
      },
    },
  } as const
}

/** Sessions created by these calls began with an email sent to the address, so the address is proven. */
const signedInByEmail = new Set(['/magic-link/verify', '/sign-in/email-code', '/verify-email'])

interface DeletedUser {
  id: string
  email: string
}

/** The library runs these hooks after its own commit, so they may use the database. */
function sessionHooks(deps: AuthDeps) {
  return {
    session: {
      create: {
        after: async (session: NewSession, ctx: GenericEndpointContext | null) => {
          await promoteIfDue(deps, session.userId, signedInByEmail.has(ctx?.path ?? ''))
          const { userId, ipAddress, impersonatedBy } = session
          await deps.onSignIn({ userId, ip: ipAddress || null, isImpersonated: Boolean(impersonatedBy) })
          await noteSignIn(deps, session, ctx ?? {})
        },
      },
      delete: { after: async ({ id }: { id: string }) => deps.onSessionEnded(id) },
    },
    account: { create: { after: async ({ userId }: { userId: string }) => deps.onIdentityChanged?.(userId) } },
    user: {
      update: {
        after: async ({ id, banned }: { id: string; banned?: unknown }) => {
          if (banned === true) await deps.onBan?.(id)
          await deps.onIdentityChanged?.(id)
        },
      },
      delete: { before: async ({ id, email }: DeletedUser) => deps.onUserDeletion?.({ id, email }) },
    },
  }
}

/**
 * A signed-in user may link these to an account with the same address although they do not report a verified address.
 */
export const linkableProviders: SocialProviderId[] = ['vk', 'yandex']

type BuiltIn = NonNullable<BetterAuthOptions['socialProviders']>

/** Ten providers are built into the library; Yandex uses its generic OAuth plugin. */
export function builtInProviders(providers: ProviderKeys[]): BuiltIn {
  const entries = providers.filter(({ id }) => id !== 'yandex').map(({ id, ...keys }) => [id, keys])
  return Object.fromEntries(entries) as BuiltIn
}

export function pluginProviders(providers: ProviderKeys[]) {
  const config = providers.filter(({ id }) => id === 'yandex').map(({ id: _, ...keys }) => yandex(keys))
  return genericOAuth({ config })
}

/** Writes the library's warnings and errors to our log, without the values that they quote. */
export function libraryLog(log: Log | undefined) {
  return {
    level: 'warn' as const,
    disabled: log === undefined,
    log: (level: 'debug' | 'info' | 'warn' | 'error', message: unknown, ...details: unknown[]) => {
      if (level !== 'warn' && level !== 'error') return
      const err = details.find((detail) => detail instanceof Error)
      const words = ownWords(String(message))
      // The library calls it an error too when it refuses a bad request.
      if (err) log?.[level]({ library: 'better-auth', err }, words)
      else log?.warn({ library: 'better-auth' }, words)
    },
  }
}

/** The library puts addresses and answers of providers behind a colon or into quotes. */
const ownWords = (message: string) => /^[\w .,()[\]-]{0,120}/.exec(message)?.[0].trim() || 'failed'
