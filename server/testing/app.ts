import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionUser } from '#contract/page.ts'
import { pageApi } from '#contract/page.ts'
import { createApp, type Deps } from '#server/app.ts'
import { aliveSessions } from '#server/auth/alive-sessions.ts'
import { type AuthDeps, createAuth } from '#server/auth/auth.ts'
import { factorChecks } from '#server/auth/second-factor/requirement.ts'
import { ping } from '#server/db/ping.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import { sendDueEmails } from '#server/email/outbox.ts'
import { openAnswers } from '#server/features/answers/open.ts'
import { auditFactorChange } from '#server/features/audit/factor-actions.ts'
import { keepMarks } from '#server/features/billing/person-marks.ts'
import type { GiftDomains } from '#server/features/billing/start-gift.ts'
import { giveStartGift } from '#server/features/billing/start-gift.ts'
import { openFiles } from '#server/features/files/deps.ts'
import { filesForModel } from '#server/features/files/files.ts'
import { createHealth } from '#server/features/health/health.ts'
import { createImageQueue } from '#server/features/images/image-queue.ts'
import { openKnowledge } from '#server/features/knowledge/deps.ts'
import { findPassages } from '#server/features/knowledge/retrieve.ts'
import { forgetPayer } from '#server/features/payments/webhook-event-store.ts'
import { expectOrphans } from '#server/features/storage/cleaning.ts'
import { nameThread } from '#server/features/threads/title.ts'
import type { TranscriptionDeps } from '#server/features/transcriptions/deps.ts'
import { openTranscriptions } from '#server/features/transcriptions/open.ts'
import { ensureProfile } from '#server/features/users/users.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import { createLimits } from '#server/http/limits.ts'
import { trustedOrigins } from '#server/http/security.ts'
import { openLog } from '#server/lib/log.ts'
import { normaliseEmail } from '#server/lib/normalise-email.ts'
import { createProviders } from '#server/llm/providers.ts'
import type { Shop } from '#server/payments/shop.ts'
import { type Bus, inProcessBus } from '#server/realtime/bus.ts'
import { createHub } from '#server/realtime/hub.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { registerInstance } from './instance.ts'
import { createVisitor, TEST_ORIGIN, type Visitor } from './visitor.ts'

export interface TestAppOptions {
  auth?: Partial<AuthDeps>
  deps?: Partial<Deps>
  startSymbols?: number
  giftDomains?: GiftDomains
  trustedProxies?: number
  embeddingFreeSymbols?: number
  /** What ties several instances together: a bus and a database that another one opened. */
  bus?: Bus
  database?: TestDatabase
  /** Who takes the money; nobody unless a test says so. */
  shop?: Shop
  /** How recordings are cut and with what. */
  transcriptionQueue?: Partial<TranscriptionDeps>
}

export interface SignedIn extends Visitor {
  user: SessionUser
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** The whole server without a port: own database, letters kept in a list, no limits unless asked for. */
export async function startTestApp(options: TestAppOptions = {}) {
  const database = options.database ?? (await openTestDatabase())
  const { db } = database
  const outbox: EmailMessage[] = []
  const log = openLog('silent')
  const bus = options.bus ?? inProcessBus()
  const hub = createHub({
    bus,
    buildId: 'test-build',
    aliveSessions: (ids) => aliveSessions(db, ids),
    onError: (error) => log.error(error),
  })
  const mail = async (emailMessage: EmailMessage) => {
    outbox.push(emailMessage)
  }
  const personKey = Buffer.alloc(32, 'person')
  const payments = { shop: options.shop ?? null, log, personKey, appName: 'Символ', appUrl: TEST_ORIGIN }
  const startGift = {
    db,
    personKey,
    limits: options.deps?.limits ?? (async () => {}),
    symbols: options.startSymbols ?? 20_000,
    domains: options.giftDomains ?? { blocked: [], allowed: [] },
  }
  const auth = createAuth({
    db,
    mail,
    appName: 'Символ',
    appUrl: TEST_ORIGIN,
    secret: 'a secret for tests that is long enough',
    adminEmails: ['owner@example.test'],
    firstUserIsAdmin: false,
    onSignIn: async ({ userId, ip, isImpersonated }) => {
      await ensureProfile(db, userId)
      if (!isImpersonated) await giveStartGift(startGift, userId, ip)
    },
    onSessionEnded: (sessionId) => hub.endSession(sessionId),
    onUserDeletion: async ({ id, email }) => {
      await keepMarks(db, personKey, [id])
      await forgetPayer({ db, personKey }, email)
      await expectOrphans(db, id)
    },
    onIdentityChanged: (userId) => keepMarks(db, personKey, [userId]),
    onFactorChange: (change) => auditFactorChange(db, change),
    passwords: quickPasswords,
    ...(options.deps?.limits && { limitEmail: emailLimit(options.deps.limits) }),
    ...(options.deps?.limits && { limits: options.deps.limits }),
    ...options.auth,
  })
  const folder = await mkdtemp(join(tmpdir(), 'symbol-app-'))
  const files = options.deps?.files ?? (await openFiles(folder, null))
  const providers = options.deps?.providers ?? createProviders([])
  const knowledge =
    options.deps?.knowledge ??
    (await openKnowledge(database, providers, log, options.embeddingFreeSymbols ?? 5_000_000))
  const naming = { db, publish: hub.publish, log, providers, defaultModel: 'gpt-4.1-mini' }
  const instance = options.deps?.instance ?? (await registerInstance(db))
  const answers = openAnswers({
    db,
    instance,
    log,
    bus,
    publish: hub.publish,
    providers,
    afterAnswer: (answer) => nameThread(naming, answer),
    readFiles: (ctx, ids) => filesForModel(ctx, files.storage, ids),
    findPassages: (ctx, ask) => findPassages(ctx.db, knowledge, ask),
    storage: files.storage,
  })
  const imageQueue = createImageQueue({ db, log, publish: hub.publish, providers, storage: files.storage, instance })
  const transcriptions = openTranscriptions({
    db,
    instance,
    log,
    publish: hub.publish,
    providers,
    storage: files.storage,
    incoming: files.incoming,
    ffmpeg: null,
    ...options.transcriptionQueue,
  })
  const app = createApp({
    auth,
    factors: factorChecks({ db, ...options.auth }),
    db,
    log,
    instance,
    limits: async () => {},
    publish: hub.publish,
    payments,
    promoKey: Buffer.alloc(32, 'promo'),
    personKey,
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
    providers,
    answers,
    files,
    knowledge,
    imageQueue,
    transcriptions,
    site: null,
    mailbox: null,
    health: createHealth(() => ping(db)),
    settings: {
      production: false,
      appUrl: TEST_ORIGIN,
      trustedOrigins: trustedOrigins(TEST_ORIGIN, false),
      trustedProxies: options.trustedProxies ?? 0,
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
    database,
    /** Where the database is, when it is a real Postgres that other processes can reach. */
    url: database.url,
    hub,
    bus,
    outbox,
    /** Sends what waits in the table of emails into the list, as the sender of a server does every two seconds. */
    sendEmails: () => sendDueEmails({ db, mail }),
    payments: { ...payments, db, publish: hub.publish },
    visitor: () => createVisitor(app),
    /** Somebody new, or somebody who comes back, inside by letter. */
    signIn: async (email = `person-${++people}-${process.pid}@example.test`): Promise<SignedIn> => {
      const visitor = createVisitor(app)
      await signInByEmail(visitor, outbox, email)
      const { user } = await visitor.call(pageApi.state, {})
      if (!user) throw new Error(`${email} could not sign in`)
      return { ...visitor, user }
    },
    answers,
    imageQueue,
    transcriptions,
    /** Where files are, and with what they are read. */
    files: { ...files, db, publish: hub.publish, log, knowledge, instance },
    instance,
    log,
    /** Where all that is no row lies. */
    folder,
    close: async () => {
      await answers.close(0)
      await imageQueue.close(0)
      await transcriptions.close()
      await files.pool.close()
      await rm(folder, { recursive: true, force: true })
      hub.close()
      if (!options.database) await database.close()
    },
  }
}

const emailLimit = (limits: Deps['limits']) => (to: string) => limits('emails', normaliseEmail(to))

/** Limits as they are in production, counted in memory. */
export const memoryLimits = (rows?: LimitSettings['rows']) => createLimits({ redis: null, pool: null }, rows)

async function signInByEmail(visitor: Visitor, outbox: EmailMessage[], email: string) {
  const asked = await visitor.post('/api/auth/sign-in/magic-link', { email, callbackURL: '/' })
  if (!asked.ok) throw new Error(`No letter for ${email}: ${asked.status} ${await asked.text()}`)
  const emailMessage = outbox.findLast(({ to }) => to === email)
  const link = emailMessage?.text.match(/https?:\/\/\S+/)?.[0]
  if (!link) throw new Error(`No link in the letter for ${email}`)
  await visitor.fetch(link)
}

/** A slow hash is a virtue in life; a thousand tests would spend it on waiting. */
const quickPasswords = {
  hash: async (password: string) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }: { hash: string; password: string }) =>
    (await quickPasswords.hash(password)) === hash,
}
