import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageApi, type SessionUser } from '#contract/page.ts'
import { createApp } from '#server/app.ts'
import type { AuthDeps } from '#server/auth/auth.ts'
import { aliveSessions } from '#server/auth/session.ts'
import { readConfig } from '#server/config.ts'
import { ping } from '#server/db/client.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import type { Mailbox } from '#server/email/mailbox.ts'
import { sendDueEmails } from '#server/email/outbox.ts'
import { answers } from '#server/features/answers/feature.ts'
import type { Core, Feature } from '#server/features/feature.ts'
import { type FileDeps, openFiles } from '#server/features/files/deps.ts'
import { files as fileFeature } from '#server/features/files/feature.ts'
import { createHealth } from '#server/features/health/health.ts'
import { help } from '#server/features/help/feature.ts'
import type { Help } from '#server/features/help/pages.ts'
import { images } from '#server/features/images/feature.ts'
import { features } from '#server/features/index.ts'
import { minutes } from '#server/features/minutes/feature.ts'
import { payments } from '#server/features/payments/feature.ts'
import { scans } from '#server/features/scans/feature.ts'
import type { ScanDeps } from '#server/features/scans/pages.ts'
import { guardStorage } from '#server/features/storage/owner.ts'
import type { TranscriptionDeps } from '#server/features/transcriptions/deps.ts'
import { transcriptions } from '#server/features/transcriptions/feature.ts'
import { noWeb, type Web } from '#server/features/web-search/deps.ts'
import { webSearch } from '#server/features/web-search/feature.ts'
import type { Pool } from '#server/files/pool.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import { createLimits } from '#server/http/limits.ts'
import type { Site } from '#server/http/site.ts'
import { type Log, openLog } from '#server/lib/log.ts'
import { IDENTITY_HASHES, keyFor } from '#server/lib/secrets.ts'
import { createProviders } from '#server/llm/providers.ts'
import { openFeatures } from '#server/open-features.ts'
import { noShops, type Shops } from '#server/payments/shop.ts'
import { type Bus, inProcessBus } from '#server/realtime/bus.ts'
import { createHub } from '#server/realtime/hub.ts'
import { closeAfterTests } from './close-after-tests.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { registerInstance } from './instance.ts'
import { openSession, writePerson } from './session.ts'
import { createVisitor, TEST_ORIGIN, type Visitor } from './visitor.ts'

export interface TestAppOptions {
  auth?: Partial<AuthDeps>
  deps?: Partial<Pick<Core, 'limits' | 'providers' | 'instance' | 'publish' | 'health' | 'log'>> & {
    files?: FileDeps
    site?: Site
    mailbox?: Mailbox
  }
  settings?: Partial<Core['settings']>
  startSymbols?: number
  features?: Feature[]
  /** A bus and a database of another instance, to connect several. */
  bus?: Bus
  database?: TestDatabase
  /** Payment gateways; none by default. */
  shops?: Partial<Shops>
  /** Silent by default. */
  log?: Log
  transcriptionQueue?: Partial<TranscriptionDeps>
  reading?: Partial<Pick<ScanDeps, 'render' | 'limits'>>
  web?: Web
  /** None by default. */
  help?: Help
}

export interface SignedIn extends Visitor {
  user: SessionUser
}

export const TEST_SECRET = 'a secret for tests that is long enough'

/** Settings of an installation that sends emails. */
const config = readConfig({
  NODE_ENV: 'test',
  APP_URL: TEST_ORIGIN,
  AUTH_SECRET: TEST_SECRET,
  ADMIN_EMAILS: 'owner@example.test',
  SMTP_URL: 'smtp://localhost',
})

/** Counted for all apps of the process, because two of them may share a database. */
let people = 0

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** The app of a test file, closed after its tests. */
export const testApp = (options?: TestAppOptions) => closeAfterTests(startTestApp(options))

/** The whole server without a port: own database, emails collected in a list, no limits unless given. */
export async function startTestApp(options: TestAppOptions = {}) {
  const database = options.database ?? (await openTestDatabase())
  const { db } = database
  const { deps = {} } = options
  const outbox: EmailMessage[] = []
  const log = deps.log ?? options.log ?? openLog('silent')
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
  const folder = await mkdtemp(join(tmpdir(), 'symbol-app-'))
  const settings = { ...config, ...settingsOf(options), dataDir: folder }
  const identityKey = keyFor(settings.secret, IDENTITY_HASHES)
  // A test that changes how people sign in needs the real sign-in instead of inserted rows.
  const isPlain = !options.auth && !options.settings?.giftDomains && !deps.limits
  const list = (options.features ?? features).map(withFakes(options))
  const { storage, ...readers } = deps.files ?? (await openTestFiles(folder))
  const kinds = list.flatMap(({ stored = [] }) => stored)
  const opened = await openFeatures(
    {
      ...{ settings, db, log, mail, bus, hub, publish: hub.publish },
      limits: async () => {},
      providers: createProviders([]),
      instance: deps.instance ?? (await registerInstance(db)),
      health: createHealth(() => ping(db)),
      shops: { ...noShops, ...options.shops },
      ...deps,
      files: { ...readers, storage, owned: guardStorage({ db, log, storage, kinds, adopt: false }) },
      auth: { passwords: quickPasswords, ...options.auth },
    },
    list,
  )
  const { core } = opened
  const { auth, instance } = core
  const app = createApp(opened, { site: null, mailbox: null, ...deps })
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
    payments: core.features.get(payments),
    visitor: () => createVisitor(app),
    /** A signed-in user: a new one by rows in the database, or the owner of an address by an emailed link. */
    signIn: async (address?: string): Promise<SignedIn> => {
      const visitor = createVisitor(app)
      const email = address ?? `person-${++people}-${process.pid}@example.test`
      if (!address && isPlain)
        return {
          ...visitor,
          user: await writePerson(database, auth, visitor, { email, identityKey, startSymbols: settings.startSymbols }),
        }
      if (address) await signInByEmail(visitor, outbox, email)
      else await openSession(db, auth, visitor, email)
      const { user } = await visitor.call(pageApi.state, {})
      if (!user) throw new Error(`${email} could not sign in`)
      return { ...visitor, user }
    },
    answers: core.features.get(answers),
    imageQueue: core.features.get(images),
    get transcriptions() {
      return core.features.get(transcriptions)
    },
    get scans() {
      return core.features.get(scans)
    },
    get minutes() {
      return core.features.get(minutes)
    },
    /** Storage, and what files are read with. */
    files: core.features.get(fileFeature),
    instance,
    features: opened,
    log,
    folder,
    close: async () => {
      await opened.close(0)
      await opened.finishBackground()
      await core.files.pool.close()
      await rm(folder, { recursive: true, force: true })
      hub.close()
      if (!options.database) await database.close()
    },
  }
}

function settingsOf({ auth, settings, startSymbols }: TestAppOptions) {
  return {
    ...{ secret: TEST_SECRET, buildId: 'test-build' },
    ...(startSymbols !== undefined && { startSymbols }),
    ...(auth?.adminFactor && { adminFactor: auth.adminFactor }),
    ...settings,
  }
}

function withFakes({
  transcriptionQueue,
  reading,
  web = noWeb,
  help: pages = { pages: [], problems: [] },
}: TestAppOptions) {
  const faked: Feature[] = [
    { ...help, open: (core) => help.open(core, pages) },
    { ...webSearch, open: (core) => webSearch.open(core, web) },
    { ...scans, open: (core) => scans.open(core, { render: null, limits: quickReading, ...reading }) },
    { ...transcriptions, open: (core) => transcriptions.open(core, { ffmpeg: null, ...transcriptionQueue }) },
  ]
  return (feature: Feature) => faked.find(({ name }) => name === feature.name) ?? feature
}

/** A busy model is asked again at once. */
const quickReading = { pageMs: 10_000, pausesMs: [1, 1] }

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

/** A real password hash would slow every test down. */
const quickPasswords = {
  hash: async (password: string) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }: { hash: string; password: string }) =>
    (await quickPasswords.hash(password)) === hash,
}
