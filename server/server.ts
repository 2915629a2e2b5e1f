import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { socialProviders } from '#contract/social-providers.ts'
import { createApp } from './app.ts'
import { backupMarkPath } from './archive/last-backup.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { adminsSoFar } from './auth/roles.ts'
import { startGrace } from './auth/second-factor/proof.ts'
import { aliveSessions, sessionOf } from './auth/session.ts'
import { openBackground } from './background.ts'
import type { Config } from './config.ts'
import { type Database, type Db, ping } from './db/client.ts'
import { checkClock } from './db/clock.ts'
import { sqlFolders } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { smtpMail } from './email/mail.ts'
import { openMailbox } from './email/mailbox.ts'
import { openFiles } from './features/files/deps.ts'
import { databaseGauges } from './features/health/figures.ts'
import { createHealth, type Health } from './features/health/health.ts'
import { helpFolder, openSlugs, readHelp } from './features/help/pages.ts'
import { adjustModelsToSettings, seedModels } from './features/models/start-models.ts'
import { seedOffer } from './features/payments/plans.ts'
import { promptFolder, publishBuiltInPrompts, readSeeds } from './features/prompts/seeds.ts'
import { adviceFor } from './features/status/status.ts'
import { openStorage } from './features/storage/owner.ts'
import { openWeb } from './features/web-search/deps.ts'
import { russianWords } from './http/input-sentence.ts'
import { createLimits } from './http/limits.ts'
import { addressOf, drain, listen, watchMail, watchStorage } from './http/listen.ts'
import { type DatabaseGauges, describeProcess, provideDatabaseGauges, provideGauges } from './http/metrics.ts'
import { trustedOrigins } from './http/security.ts'
import { loadSite } from './http/site.ts'
import { openInstance, type StoredOutage } from './instances/instance.ts'
import { createServiceState, type ServiceState } from './instances/service-state.ts'
import { newId } from './lib/ids.ts'
import { type Log, openLog } from './lib/log.ts'
import { authSecret, IDENTITY_HASHES, keyFor } from './lib/secrets.ts'
import { createProviders, type Providers } from './llm/providers.ts'
import { type Features, openFeatures } from './open-features.ts'
import { openPayments } from './payments/shop.ts'
import { inProcessBus, redisBus } from './realtime/bus.ts'
import { createHub, type Hub } from './realtime/hub.ts'
import { openRedis, type RedisLink } from './realtime/redis.ts'
import { acceptSockets } from './realtime/socket.ts'

/** Opens everything the settings ask for and serves it on one port. */
export async function openServer(config: Config) {
  z.config(russianWords)
  const here = dirname(fileURLToPath(import.meta.url))
  const site = existsSync(join(here, 'build.json')) ? loadSite(here, config.keepsPages) : null
  const buildId = config.buildId ?? site?.buildId ?? 'development'
  const bootId = newId()
  const log = openLog(config.logLevel, undefined, { instance: bootId, build: buildId })
  const onError = (error: unknown) => log.error({ err: error }, 'background: failed')
  describeProcess({ build: buildId, instance: bootId })
  log.info({ node: process.version }, 'server: starting')

  const database = await prepareDatabase(config, log)
  const { db, pool } = database
  const redis = config.redisUrl ? await openRedis({ url: config.redisUrl, prefix: config.redisPrefix, log }) : null
  const health = createHealth(() => ping(db))
  const providers = createProviders(config.modelProviders, { timeouts: config.modelTimeouts, home: config.country })
  const bus = redis ? redisBus(redis, log) : inProcessBus(onError)
  const instance = await openInstance({
    db,
    lockUrl: 'url' in config.database && config.database.url ? config.database.url : null,
    log,
    id: bootId,
    name: `${hostname()}:${config.port}`,
    build: buildId,
    outages: () => outagesOf(health, providers),
  })
  if (redis) health.degradedWhile('redis', () => !redis.isUp())
  const hub = createHub({ bus, buildId, aliveSessions: (ids) => aliveSessions(db, ids), onError })
  const limits = createLimits({ redis, pool }, config.limits.rows)
  const states = { mail: createServiceState('mail', log), storage: createServiceState('storage', log) }
  health.degradedWhile('storage', () => !states.storage.isUp())
  health.degradedWhile('mail', () => !states.mail.isUp())
  health.degradedWhile('models', () => providers.state().length > 0)
  const { mail, mailbox } = await openMail(config, states.mail)
  const { shop, close: closeShop } = await openPayments(config.payments, config.port, log)
  const secret = await authSecret(config.authSecret, config.dataDir)
  const origins = trustedOrigins(config.appUrl, config.production)
  const { files, owned } = await openOwnedFiles(config, db, log, states.storage)
  const help = await readHelp(helpFolder(), config.supportEmail)
  if (help.problems.length > 0) log.warn({ problems: help.problems }, 'help: problems in the pages')
  const advice = adviceFor(config)
  for (const { message } of advice) log.warn({ message }, 'settings: something is missing')
  const isDemo = config.wantsDemo || config.modelProviders.length === 0
  const web = openWeb({ ...config.search, isDemo, appUrl: config.appUrl }, help.pages)
  const features = await openFeatures({
    ...{ database, log, bus, hub, instance, limits, files, providers },
    payments: { shop, identityKey: keyFor(secret, IDENTITY_HASHES), appName: config.appName, appUrl: config.appUrl },
    auth: {
      mail,
      secret,
      appName: config.appName,
      appUrl: config.appUrl,
      adminEmails: config.adminEmails,
      adminUserIds: config.adminUserIds,
      adminFactor: config.adminFactor,
      firstUserIsAdmin: config.firstUserIsAdmin,
      trustedOrigins: origins,
      providers: config.socialProviders,
      trustedProviders: config.trustedProviders,
    },
    transcriptions: { ffmpeg: await findFfmpeg() },
    startSymbols: config.startSymbols,
    giftDomains: config.giftDomains,
    defaultModel: config.defaultModel,
    embeddingFreeSymbols: config.embeddingFreeSymbols,
    maxRunningAnswers: config.maxRunningAnswers,
    web,
  })
  const mark = database.pool ? null : backupMarkPath(config.dataDir)
  const readFigures = () => databaseGauges(db, mark)
  provideMetrics(features, { hub, redis, pool, health, states, hasMail: mailbox === null, readFigures })
  const app = createApp({
    ...features,
    ...{ site, mailbox, health, help },
    services: { readFigures, advice, hasRedis: redis !== null, hasMail: mailbox === null, hasShop: shop !== null },
    limitSettings: config.limits,
    promoKey: keyFor(secret, 'promo codes'),
    wordsKey: keyFor(secret, 'unsent words'),
    page: {
      appName: config.appName,
      buildId,
      socialProviders: config.socialProviders.map(({ id }) => ({ id, name: socialProviders[id] })),
      supportUrl: config.supportUrl,
      mailboxUrl: mailbox ? '/dev/mail' : null,
      openHelp: openSlugs(help),
      webSearch: web.search && { price: web.price },
      country: config.country,
      analytics: config.analytics,
    },
    settings: {
      production: config.production,
      appUrl: config.appUrl,
      trustedOrigins: origins,
      trustedProxies: config.trustedProxies,
      metricsToken: config.metricsToken,
      defaultModel: config.defaultModel,
      startSymbols: config.startSymbols,
    },
  })
  const background = await openBackground({ ...features, ...{ database, instance, health, mail, owned, onError } })
  const server = await listen(app.fetch, { host: config.host, port: config.port, isDraining: health.isDraining })
  acceptSockets(server, {
    ...{ hub, limits, onError, trustedOrigins: origins, trustedProxies: config.trustedProxies },
    totals: config.limits.totals,
    sessionOf: (headers) => sessionOf(features.auth, features.db, headers),
    onRefused: (facts) => log.warn(facts, 'sockets: rejected by a limit'),
  })

  const admins = await adminsSoFar(db)
  log.info({ address: addressOf(server) }, 'server: started, accepting requests')
  // After the pending callbacks of the start, because an embedded database blocks this process while it works.
  const starting = setImmediate(background.start)
  return {
    address: addressOf(server),
    buildId,
    admins,
    log,
    close: async () => {
      const { drainSeconds } = config
      log.info({ seconds: drainSeconds }, 'server: stopping, no new work is accepted, running answers may finish')
      clearImmediate(starting)
      health.drain()
      await features.close(drainSeconds * 1000)
      hub.close()
      await Promise.all([drain(server), files.pool.close(), background.close()])
      await features.finishBackground()
      await closeShop()
      await instance.close()
      redis?.close()
      await database.close()
      log.info('server: stopped')
    },
  }
}

/** Opens and migrates the database and adds the rows that the settings ask for. */
async function prepareDatabase(config: Config, log: Log): Promise<Database> {
  log.info({ database: 'url' in config.database ? 'postgres' : 'embedded' }, 'database: opening')
  const database = await openDatabase(config.database, sqlFolders(), { poolSize: config.databasePoolSize, log })
  const { db } = database
  if (database.pool) await checkClock(database.execute, log)
  await database.migrate()
  log.info('database: ready')
  await seedModels(db)
  await startGrace(db, config.adminFactor)
  await adjustModelsToSettings(db, {
    providers: config.modelProviders.map(({ name }) => name),
    defaultModel: config.defaultModel,
    wantsDemo: config.wantsDemo,
  })
  const library = readSeeds(promptFolder())
  if (library.problems.length > 0)
    log.warn({ problems: library.problems }, 'prompts: problems in the files of the library')
  await publishBuiltInPrompts(db, library.seeds)
  if (!config.production) await seedOffer(db)
  return database
}

/** A mail server when one is set, otherwise the development mailbox. */
async function openMail(config: Config, state: ServiceState) {
  if (config.smtp) return { mail: watchMail(smtpMail(config.smtp), state), mailbox: null }
  const mailbox = await openMailbox(join(config.dataDir, 'mail'))
  return { mail: mailbox.mail, mailbox }
}

/** The file storage, after checking that it belongs to this installation. */
async function openOwnedFiles(config: Config, db: Db, log: Log, state: ServiceState) {
  const { dataDir, s3, adoptsStorage: adopt, production } = config
  const opened = await openFiles(dataDir, s3)
  const owned = await openStorage({ db, log, storage: opened.storage, adopt, production })
  return { owned, files: { ...opened, storage: watchStorage(owned.storage, state) } }
}

interface MetricSources {
  hub: Hub
  redis: RedisLink | null
  pool: Database['pool']
  health: Health
  states: { mail: ServiceState; storage: ServiceState }
  hasMail: boolean
  readFigures: () => Promise<DatabaseGauges>
}

function provideMetrics({ answers, providers }: Features, measured: MetricSources): void {
  const { hub, redis, pool, health, states, hasMail, readFigures } = measured
  provideDatabaseGauges(readFigures)
  provideGauges({
    database_up: async () => Number((await health.ready()).reason !== 'database'),
    storage_up: () => Number(states.storage.isUp()),
    ...(hasMail && { mail_up: () => Number(states.mail.isUp()) }),
    sockets: hub.size,
    running_answers: answers.engine.size,
    breaker_open: () => providers.state().length,
    ...(redis && { redis_up: () => Number(redis.isUp()) }),
    ...(pool && {
      pg_pool_total: () => pool.totalCount,
      pg_pool_idle: () => pool.idleCount,
      pg_pool_waiting: () => pool.waitingCount,
    }),
  })
}

/** Services that this process cannot use now, for the row of its instance. */
function outagesOf(health: Health, providers: Providers): StoredOutage[] {
  return health.outages().map(({ part, since }) => ({
    part,
    since: since.toISOString(),
    ...(part === 'models' && { names: providers.state().map(({ provider, model }) => `${model} (${provider})`) }),
  }))
}
