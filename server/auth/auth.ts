import { betterAuth, type GenericEndpointContext } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, magicLink } from 'better-auth/plugins'
import { MAGIC_LINK_MINUTES, PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { accounts, passkeys, sessions, twoFactors, users, verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { ac, roles } from './access.ts'
import { BASE_PATH } from './compat/pages.ts'
import { compat } from './compat/plugin.ts'
import type { AuthDeps } from './deps.ts'
import { createEmails, type Emails } from './emails.ts'
import { judgeLinking } from './judge-linking.ts'
import { type NewSession, noteSignIn } from './known-devices.ts'
import { libraryLog } from './library-log.ts'
import { builtInProviders, linkableProviders, pluginProviders } from './providers.ts'
import { promoteIfDue } from './roles.ts'
import { secondFactor } from './second-factor/plugin.ts'
import { cookieOptions } from './session-cookie.ts'
import { hashToken } from './sign-in-token.ts'

export type { AuthDeps } from './deps.ts'
export type Auth = ReturnType<typeof createAuth>

const STATE_SECONDS = 600
const HOUR = 3600

const advanced = {
  // Under a test runner the library would switch its checks off, and tests would prove nothing.
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
    // Nobody of ours calls them, and each would answer whether a guess is right or change a session unseen.
    disabledPaths: ['/verify-password', '/update-session'],
    // Limits stand in front of the library, where they also see what it does not.
    rateLimit: { enabled: false },
    logger: libraryLog(deps.log),
    // What nobody expected goes on to the server's one error handler.
    onAPIError: { throw: true },
    database: drizzleAdapter(deps.db, {
      provider: 'pg',
      schema: {
        ...{ user: users, session: sessions, account: accounts, verification: verifications },
        ...{ twoFactor: twoFactors, passkey: passkeys },
      },
      transaction: true,
    }),
    ...proofs(deps, emails),
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
        ac,
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

/** How an address, a password and the wish to leave are proven. */
function proofs(deps: AuthDeps, emails: Emails) {
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
      validateUserInfo: judgeLinking(deps, emails),
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

/** Sessions of these calls begin with a link that came to the address itself. */
const signedInByEmail = new Set(['/magic-link/verify', '/verify-email'])

interface Leaver {
  id: string
  email: string
}

/** The library runs these after its own commit, for one session and for many alike, so they may use the database. */
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
      update: { after: async ({ id }: { id: string }) => deps.onIdentityChanged?.(id) },
      delete: { before: async ({ id, email }: Leaver) => deps.onUserDeletion?.({ id, email }) },
    },
  }
}
