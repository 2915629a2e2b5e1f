import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, magicLink } from 'better-auth/plugins'
import { MAGIC_LINK_MINUTES, PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { accounts, passkeys, sessions, twoFactors, users, verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { ac, roles } from './access.ts'
import { BASE_PATH } from './compat/pages.ts'
import { compat } from './compat/plugin.ts'
import { createLetters, type Letters } from './letters.ts'
import { libraryLog } from './library-log.ts'
import { builtInProviders, pluginProviders, trustedProviders } from './providers.ts'
import { promoteIfDue } from './roles.ts'
import { secondFactor } from './second-factor/plugin.ts'
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
  const { providers = [], trustedOrigins = [world.appUrl] } = world
  return betterAuth({
    appName: world.appName,
    baseURL: world.appUrl,
    basePath: BASE_PATH,
    secret: world.secret,
    trustedOrigins,
    telemetry: { enabled: false },
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
    account: { encryptOAuthTokens: true, accountLinking: { enabled: true, trustedProviders } },
    plugins: [
      magicLink({ storeToken: 'hashed', expiresIn: MAGIC_LINK_MINUTES * 60, sendMagicLink: letters.signIn }),
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
    advanced,
  })
}

/** How an address, a password and the wish to leave are proven. */
function proofs({ passwords }: AuthWorld, letters: Letters) {
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

/** The library runs these after its own commit, for one session and for many alike, so they may use the database. */
function sessionHooks(world: AuthWorld) {
  return {
    session: {
      create: {
        after: async ({ userId }: { userId: string }) => {
          await promoteIfDue(world, userId)
          await world.onSignIn(userId)
        },
      },
      delete: { after: async ({ id }: { id: string }) => world.onSessionEnded(id) },
    },
    user: { delete: { before: async ({ id }: { id: string }) => world.onUserDeletion?.(id) } },
  }
}
