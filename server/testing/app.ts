import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageApi, type SessionUser } from '#contract/page.ts'
import { createApp, type Deps } from '#server/app.ts'
import type { AuthDeps } from '#server/auth/auth.ts'
import { aliveSessions } from '#server/auth/session.ts'
import { ping } from '#server/db/client.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import { sendDueEmails } from '#server/email/outbox.ts'
import type { GiftDomains } from '#server/features/billing/start-gift.ts'
import { type FileDeps, openFiles } from '#server/features/files/deps.ts'
import { databaseGauges } from '#server/features/health/figures.ts'
import { createHealth } from '#server/features/health/health.ts'
import type { TranscriptionDeps } from '#server/features/transcriptions/deps.ts'
import type { Web } from '#server/features/web-search/deps.ts'
import type { Pool } from '#server/files/pool.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import { createLimits } from '#server/http/limits.ts'
import { trustedOrigins } from '#server/http/security.ts'
import { type Log, openLog } from '#server/lib/log.ts'
import { createProviders } from '#server/llm/providers.ts'
import { openFeatures } from '#server/open-features.ts'
import type { Shop } from '#server/payments/shop.ts'
import { type Bus, inProcessBus } from '#server/realtime/bus.ts'
import { createHub } from '#server/realtime/hub.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { registerInstance } from './instance.ts'
import { openSession, writePerson } from './session.ts'
import { createVisitor, TEST_ORIGIN, type Visitor } from './visitor.ts'

export interface TestAppOptions {
  auth?: Partial<AuthDeps>
  deps?: Partial<Deps>
  startSymbols?: number
  giftDomains?: GiftDomains
  trustedProxies?: number
  embeddingFreeSymbols?: number
  /** A bus and a database of another instance, to connect several. */
  bus?: Bus
  database?: TestDatabase
  /** The payment gateway; none by default. */
  shop?: Shop
  /** Silent by default. */
  log?: Log
  /** How recordings are split, and with what. */
  transcriptionQueue?: Partial<TranscriptionDeps>
  /** A search engine and the pages that can be read. */
  web?: Web
}

export interface SignedIn extends Visitor {
  user: SessionUser
}

/** Counted for all apps of the process, because two of them may share a database. */
let people = 0

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** The whole server without a port: own database, emails collected in a list, no limits unless given. */
export async function startTestApp(options: TestAppOptions = {}) {
  const database = options.database ?? (await openTestDatabase())
  const { db } = database
  const outbox: EmailMessage[] = []
  const log = options.log ?? openLog('silent')
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
  const identityKey = Buffer.alloc(32, 'person')
  const startSymbols = options.startSymbols ?? 20_000
  // A test that changes how people sign in needs the real sign-in instead of inserted rows.
  const isPlain = !options.auth && !options.giftDomains && !options.deps?.limits
  const folder = await mkdtemp(join(tmpdir(), 'symbol-app-'))
  const features = await openFeatures({
    ...{ database, log, bus, hub },
    limits: options.deps?.limits ?? (async () => {}),
    providers: options.deps?.providers ?? createProviders([]),
    files: options.deps?.files ?? (await openTestFiles(folder)),
    instance: options.deps?.instance ?? (await registerInstance(db)),
    payments: {
      shop: options.shop ?? null,
      identityKey,
      appName: 'Символ',
      appUrl: TEST_ORIGIN,
    },
    auth: {
      mail,
      appName: 'Символ',
      appUrl: TEST_ORIGIN,
      secret: 'a secret for tests that is long enough',
      adminEmails: ['owner@example.test'],
      firstUserIsAdmin: false,
      passwords: quickPasswords,
      ...options.auth,
    },
    transcriptions: { ffmpeg: null, ...options.transcriptionQueue },
    startSymbols,
    giftDomains: options.giftDomains ?? { blocked: [], allowed: [] },
    embeddingFreeSymbols: options.embeddingFreeSymbols ?? 5_000_000,
    defaultModel: 'gpt-4.1-mini',
    ...(options.web && { web: options.web }),
  })
  const { auth, files, instance, payments, knowledge, answers, imageQueue, transcriptions } = features
  const app = createApp({
    ...features,
    promoKey: Buffer.alloc(32, 'promo'),
    wordsKey: Buffer.alloc(32, 'words'),
    page: {
      appName: 'Символ',
      buildId: 'test-build',
      socialProviders: [],
      supportUrl: null,
      mailboxUrl: null,
      openHelp: [],
      country: 'RU',
      analytics: { url: null, yandexMetrikaId: null },
    },
    help: { pages: [], problems: [] },
    site: null,
    mailbox: null,
    health: createHealth(() => ping(db)),
    services: {
      readFigures: () => databaseGauges(db),
      ...{ hasRedis: false, hasMail: true, hasShop: options.shop !== undefined },
    },
    settings: {
      production: false,
      appUrl: TEST_ORIGIN,
      trustedOrigins: trustedOrigins(TEST_ORIGIN, false),
      trustedProxies: options.trustedProxies ?? 0,
      metricsToken: null,
      defaultModel: 'gpt-4.1-mini',
      startSymbols,
    },
    ...options.deps,
  })
  return {
    app,
    auth,
    db,
    database,
    /** The database's address on a real Postgres, for other processes. */
    url: database.url,
    hub,
    bus,
    outbox,
    /** Sends queued emails into the list, as a server does every two seconds. */
    sendEmails: () => sendDueEmails({ db, mail }),
    payments,
    visitor: () => createVisitor(app),
    /** A signed-in user: a new one by rows in the database, or the owner of an address by an emailed link. */
    signIn: async (address?: string): Promise<SignedIn> => {
      const visitor = createVisitor(app)
      const email = address ?? `person-${++people}-${process.pid}@example.test`
      if (!address && isPlain)
        return { ...visitor, user: await writePerson(database, auth, visitor, { email, identityKey, startSymbols }) }
      if (address) await signInByEmail(visitor, outbox, email)
      else await openSession(db, auth, visitor, email)
      const { user } = await visitor.call(pageApi.state, {})
      if (!user) throw new Error(`${email} could not sign in`)
      return { ...visitor, user }
    },
    answers,
    imageQueue,
    transcriptions,
    /** Storage, and what files are read with. */
    files: { ...files, db, publish: hub.publish, log, knowledge, instance },
    instance,
    log,
    /** The data folder. */
    folder,
    close: async () => {
      await features.close(0)
      await features.finishBackground()
      await files.pool.close()
      await rm(folder, { recursive: true, force: true })
      hub.close()
      if (!options.database) await database.close()
    },
  }
}

/** Threads that read documents. Starting one from the sources takes half a second of CPU time, so apps share them. */
let threads: Pool | null = null

async function openTestFiles(folder: string): Promise<FileDeps> {
  const files = await openFiles(folder, null)
  threads ??= (await openFiles(folder, null)).pool
  const shared = threads
  const use: Pool['use'] = (work, userId) => files.pool.use(() => shared.use(work, userId), userId)
  return { ...files, pool: { ...files.pool, use } }
}

/** Production limits, counted in memory. */
export const memoryLimits = (rows?: LimitSettings['rows']) => createLimits({ redis: null, pool: null }, rows)

async function signInByEmail(visitor: Visitor, outbox: EmailMessage[], email: string) {
  const response = await visitor.post('/api/auth/sign-in/magic-link', { email, callbackURL: '/' })
  if (!response.ok) throw new Error(`No email for ${email}: ${response.status} ${await response.text()}`)
  const emailMessage = outbox.findLast(({ to }) => to === email)
  const link = emailMessage?.text.match(/https?:\/\/\S+/)?.[0]
  if (!link) throw new Error(`No link in the email for ${email}`)
  await visitor.fetch(link)
}

/** A fast hash: a real password hash would slow every test down. */
const quickPasswords = {
  hash: async (password: string) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }: { hash: string; password: string }) =>
    (await quickPasswords.hash(password)) === hash,
}
