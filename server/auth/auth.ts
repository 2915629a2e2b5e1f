import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, magicLink } from 'better-auth/plugins'
import type { Db } from '#server/db/client.ts'
import { accounts, sessions, users, verifications } from '#server/db/schema.ts'
import type { Mail } from '#server/mail/mail.ts'

export interface AuthWorld {
  db: Db
  mail: Mail
  appName: string
  appUrl: string
  secret: string
  /** Addresses that belong to the administrators. */
  adminEmails: string[]
  /** Makes the first account an administrator when no address is set. */
  firstUserIsAdmin: boolean
  /** Called with every new session before its owner sees a page. */
  onSignIn: (userId: string) => Promise<void>
  /** Called when sessions end, so that their open sockets end too. */
  onSessionEnded: (sessionId: string) => void
}

export type Auth = ReturnType<typeof createAuth>

export function createAuth(world: AuthWorld) {
  return betterAuth({
    appName: world.appName,
    baseURL: world.appUrl,
    basePath: '/api/auth',
    secret: world.secret,
    database: drizzleAdapter(world.db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
      transaction: true,
    }),
    telemetry: { enabled: false },
    plugins: [
      magicLink({
        storeToken: 'hashed',
        sendMagicLink: async ({ email, url }) => {
          await world.mail({ to: email, subject: `Вход в ${world.appName}`, text: url, html: url })
        },
      }),
      admin(),
    ],
    databaseHooks: {
      session: {
        create: { after: (session) => world.onSignIn(session.userId) },
        delete: { after: async (session) => world.onSessionEnded(session.id) },
      },
    },
  })
}
