import { betterAuth, type GenericEndpointContext } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, magicLink } from 'better-auth/plugins'
import { MAGIC_LINK_MINUTES, PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { accounts, passkeys, sessions, twoFactors, users, verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { ac, roles } from './access.ts'
import { BASE_PATH } from './compat/pages.ts'
import { compat } from './compat/plugin.ts'
import { judgeLinking } from './judge-linking.ts'
import { type NewSession, noteSignIn } from './known-devices.ts'
import { createLetters, type Letters } from './letters.ts'
import { libraryLog } from './library-log.ts'
import { builtInProviders, linkableProviders, pluginProviders } from './providers.ts'
import { promoteIfDue } from './roles.ts'
import { secondFactor } from './second-factor/plugin.ts'
import { cookieOptions } from './session-cookie.ts'
import { hashToken } from './sign-in-token.ts'
import type { AuthWorld } from './world.ts'

export type { AuthWorld } from './world.ts'
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

export function createAuth(world: AuthWorld) {
  const letters = createLetters(world)
  const { providers = [], trustedProviders = [], trustedOrigins = [world.appUrl] } = world
  return betterAuth({
    appName: world.appName,
    baseURL: world.appUrl,
    basePath: BASE_PATH,
    secret: world.secret,
    trustedOrigins,
    telemetry: { enabled: false },
    // Nobody of ours calls them, and each would answer whether a guess is right or change a session unseen.
    disabledPaths: ['/verify-password', '/update-session'],
    // Limits stand in front of the library, where they also see what it does not.
    rateLimit: { enabled: false },
    logger: libraryLog(world.log),
    // What nobody expected goes on to the server's one error handler.
    onAPIError: { throw: true },
    database: drizzleAdapter(world.db, {
      provider: 'pg',
      schema: {
        ...{ user: users, session: sessions, account: accounts, verification: verifications },
        ...{ twoFactor: twoFactors, passkey: passkeys },
      },
      transaction: true,
    }),
    ...proofs(world, letters),
    socialProviders: builtInProviders(providers),
    account: {
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, trustedProviders: [...linkableProviders, ...trustedProviders] },
    },
    plugins: [
      magicLink({
        storeToken: { type: 'custom-hasher', hash: async (token) => hashToken(token) },
        expiresIn: MAGIC_LINK_MINUTES * 60,
        sendMagicLink: letters.signIn,
      }),
      admin({
        ac,
        roles,
        adminUserIds: world.adminUserIds ?? [],
        bannedUserMessage: 'Аккаунт заблокирован. Если это ошибка, напишите в поддержку.',
      }),
      pluginProviders(providers),
      compat(world, letters),
      ...secondFactor(world),
    ],
    databaseHooks: sessionHooks(world),
    advanced: { ...advanced, ...cookieOptions(world.appUrl) },
  })
}

/** How an address, a password and the wish to leave are proven. */
function proofs(world: AuthWorld, letters: Letters) {
  const { passwords } = world
  return {
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      requireEmailVerification: true,
      resetPasswordTokenExpiresIn: HOUR,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: letters.passwordReset,
      ...(passwords ? { password: passwords } : {}),
    },
    emailVerification: {
      expiresIn: HOUR,
      sendOnSignIn: true,
      sendVerificationEmail: letters.verification,
    },
    user: {
      validateUserInfo: judgeLinking(world, letters),
      additionalFields: { lastSeenAt: { type: 'date', required: false, input: false } },
      changeEmail: {
        enabled: true,
        updateEmailWithoutVerification: true,
        sendChangeEmailConfirmation: letters.confirmChange,
      },
      deleteUser: {
        enabled: true,
        deleteTokenExpiresIn: 24 * HOUR,
        sendDeleteAccountVerification: letters.deleteAccount,
      },
    },
  } as const
}

/** Sessions of these calls begin with a link that came to the address itself. */
const byLetter = new Set(['/magic-link/verify', '/verify-email'])

interface Leaver {
  id: string
  email: string
}

/** The library runs these after its own commit, for one session and for many alike, so they may use the database. */
function sessionHooks(world: AuthWorld) {
  return {
    session: {
      create: {
        after: async (session: NewSession, ctx: GenericEndpointContext | null) => {
          await promoteIfDue(world, session.userId, byLetter.has(ctx?.path ?? ''))
          const { userId, ipAddress, impersonatedBy } = session
          await world.onSignIn({ userId, ip: ipAddress || null, isImpersonated: Boolean(impersonatedBy) })
          await noteSignIn(world, session, ctx ?? {})
        },
      },
      delete: { after: async ({ id }: { id: string }) => world.onSessionEnded(id) },
    },
    account: { create: { after: async ({ userId }: { userId: string }) => world.onIdentityChanged?.(userId) } },
    user: {
      update: { after: async ({ id }: { id: string }) => world.onIdentityChanged?.(id) },
      delete: { before: async ({ id, email }: Leaver) => world.onUserDeletion?.({ id, email }) },
    },
  }
}
