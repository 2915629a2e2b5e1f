import { createHash } from 'node:crypto'
import type { SessionUser } from '#contract/page.ts'
import { pageApi } from '#contract/page.ts'
import { createApp, type Deps } from '#server/app.ts'
import { aliveSessions } from '#server/auth/alive-sessions.ts'
import { type AuthWorld, createAuth } from '#server/auth/auth.ts'
import { ensureProfile } from '#server/features/users/users.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/observe.ts'
import { trustedOrigins } from '#server/http/security.ts'
import { openLog } from '#server/lib/log.ts'
import { createProviders } from '#server/llm/providers.ts'
import type { Letter } from '#server/mail/mail.ts'
import type { Shop } from '#server/payments/shop.ts'
import { inProcessBus } from '#server/realtime/bus.ts'
import { createHub } from '#server/realtime/hub.ts'
import { openTestDatabase } from './database.ts'
import { createVisitor, TEST_ORIGIN, type Visitor } from './visitor.ts'

export interface TestAppOptions {
  auth?: Partial<AuthWorld>
  deps?: Partial<Deps>
  startSymbols?: number
  /** Who takes the money; nobody unless a test says so. */
  shop?: Shop
}

export interface SignedIn extends Visitor {
  user: SessionUser
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** The whole server without a port: own database, letters kept in a list, no limits unless asked for. */
export async function startTestApp(options: TestAppOptions = {}) {
  const database = await openTestDatabase()
  const { db } = database
  const outbox: Letter[] = []
  const log = openLog('silent')
  const hub = createHub({
    bus: inProcessBus(),
    buildId: 'test-build',
    aliveSessions: (ids) => aliveSessions(db, ids),
    onError: (error) => log.error(error),
  })
  const mail = async (letter: Letter) => {
    outbox.push(letter)
  }
  const payments = { shop: options.shop ?? null, mail, log, appName: 'Символ', appUrl: TEST_ORIGIN }
  const auth = createAuth({
    db,
    mail,
    appName: 'Символ',
    appUrl: TEST_ORIGIN,
    secret: 'a secret for tests that is long enough',
    adminEmails: ['owner@example.test'],
    firstUserIsAdmin: false,
    onSignIn: (userId) => ensureProfile(db, userId, options.startSymbols ?? 20_000),
    onSessionEnded: (sessionId) => hub.endSession(sessionId),
    passwords: quickPasswords,
    ...options.auth,
  })
  const app = createApp({
    auth,
    db,
    log,
    metrics: createMetrics(),
    limits: async () => {},
    publish: hub.publish,
    payments,
    promoKey: Buffer.alloc(32, 'promo'),
    page: {
      appName: 'Символ',
      buildId: 'test-build',
      socialProviders: [],
      supportUrl: null,
      mailboxUrl: null,
      openHelp: [],
      analytics: { url: null, yandexMetrikaId: null },
    },
    help: { pages: [], problems: [] },
    providers: createProviders([]),
    site: null,
    mailbox: null,
    isOpen: async () => true,
    settings: {
      production: false,
      appUrl: TEST_ORIGIN,
      trustedOrigins: trustedOrigins(TEST_ORIGIN, false),
      trustedProxies: 0,
      metricsToken: null,
      defaultModel: 'gpt-4.1-mini',
    },
    ...options.deps,
  })
  let people = 0

  return {
    app,
    auth,
    db,
    /** Where the database is, when it is a real Postgres that other processes can reach. */
    url: database.url,
    hub,
    outbox,
    payments: { ...payments, db, publish: hub.publish },
    visitor: () => createVisitor(app),
    /** Somebody new, or somebody who comes back, inside by letter. */
    signIn: async (email = `person-${++people}-${process.pid}@example.test`): Promise<SignedIn> => {
      const visitor = createVisitor(app)
      await signInByLetter(visitor, outbox, email)
      const { user } = await visitor.call(pageApi.state, {})
      if (!user) throw new Error(`${email} could not sign in`)
      return { ...visitor, user }
    },
    close: async () => {
      hub.close()
      await database.close()
    },
  }
}

/** Limits as they are in production, counted in memory. */
export const memoryLimits = () => createLimits({ redis: null, pool: null })

async function signInByLetter(visitor: Visitor, outbox: Letter[], email: string) {
  const asked = await visitor.post('/api/auth/sign-in/magic-link', { email, callbackURL: '/' })
  if (!asked.ok) throw new Error(`No letter for ${email}: ${asked.status} ${await asked.text()}`)
  const letter = outbox.findLast(({ to }) => to === email)
  const token = letter?.text.match(/[?&]token=([^&\s]+)/)?.[1]
  if (!token) throw new Error(`No link in the letter for ${email}`)
  await visitor.fetch(`/api/auth/magic-link/verify?token=${token}&callbackURL=/`)
}

/** A slow hash is a virtue in life; a thousand tests would spend it on waiting. */
const quickPasswords = {
  hash: async (password: string) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }: { hash: string; password: string }) =>
    (await quickPasswords.hash(password)) === hash,
}
