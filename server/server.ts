import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { dayZoneOf } from '#contract/day-zone.ts'
import { createApp } from './app.ts'
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
import { answers } from './features/answers/feature.ts'
import { openFiles } from './features/files/deps.ts'
import { health as healthFeature } from './features/health/feature.ts'
import { createHealth, type Health } from './features/health/health.ts'
import { features, storedKinds } from './features/index.ts'
import { openStorage } from './features/storage/owner.ts'
import { russianWords } from './http/input-sentence.ts'
import { createLimits } from './http/limits.ts'
import { addressOf, drain, listen, watchMail, watchStorage } from './http/listen.ts'
import { describeProcess, provideDatabaseGauges, provideGauges } from './http/metrics.ts'
import { trustedOrigins } from './http/security.ts'
import { loadSite } from './http/site.ts'
import { openInstance, type StoredOutage } from './instances/instance.ts'
import { createServiceState, type ServiceState } from './instances/service-state.ts'
import { setDayZone } from './lib/day-zone.ts'
import { watchEventLoop } from './lib/event-loop.ts'
import { newId } from './lib/ids.ts'
import { type Log, openLog } from './lib/log.ts'
import { authSecret } from './lib/secrets.ts'
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
  setDayZone(dayZoneOf(config.country))
  const limits = createLimits({ redis, pool }, config.limits.rows)
  const states = { mail: createServiceState('mail', log), storage: createServiceState('storage', log) }
  health.degradedWhile('storage', () => !states.storage.isUp())
  health.degradedWhile('mail', () => !states.mail.isUp())
  health.degradedWhile('models', () => providers.state().length > 0)
  const { mail, mailbox } = await openMail(config, states.mail)
  const { shops, close: closeShop } = await openPayments(config.payments, {
    port: config.port,
    appUrl: config.appUrl,
    log,
  })
  const settings = { ...config, buildId, secret: await authSecret(config.authSecret, config.dataDir) }
  const files = await openOwnedFiles(config, db, log, states.storage)
  const { publish } = hub
  const opened = await openFeatures({
    ...{ settings, db, log, mail, limits, bus, hub, publish, providers, files, shops, instance, health },
  })
  provideMetrics(opened, { hub, redis, pool, states, hasMail: mailbox === null })
  const app = createApp(opened, { site, mailbox })
  const background = await openBackground({ ...opened, ...{ database, instance, mail, onError } })
  const admins = await adminsSoFar(db)
  const server = await listen(app.fetch, { host: config.host, port: config.port, isDraining: health.isDraining })
  acceptSockets(server, {
    ...{ hub, limits, onError, trustedProxies: config.trustedProxies },
    trustedOrigins: trustedOrigins(config.appUrl, config.production),
    totals: config.limits.totals,
    sessionOf: (headers) => sessionOf(opened.core.auth, db, headers),
    onRefused: (facts) => log.warn(facts, 'sockets: rejected by a limit'),
  })

  const eventLoop = watchEventLoop(log)
  // After the pending callbacks of the start, because an embedded database blocks this process while it works.
  const starting = setImmediate(background.start)
  return {
    address: addressOf(server),
    buildId,
    admins,
    log,
    close: async () => {
      const { drainSeconds } = config
      const drainUntil = Date.now() + drainSeconds * 1000
      log.info({ seconds: drainSeconds }, 'server: stopping, no new work is accepted, running answers may finish')
      clearImmediate(starting)
      health.drain()
      await opened.close(drainSeconds * 1000)
      hub.close()
      await Promise.all([drain(server, drainUntil - Date.now()), files.pool.close(), background.close()])
      await opened.finishBackground()
      await closeShop()
      await instance.close()
      redis?.close()
      await database.close()
      eventLoop.close()
      log.info('server: stopped')
    },
  }
}

async function prepareDatabase(config: Config, log: Log): Promise<Database> {
  log.info({ database: 'url' in config.database ? 'postgres' : 'embedded' }, 'database: opening')
  const database = await openDatabase(config.database, sqlFolders(), { poolSize: config.databasePoolSize, log })
  const { db } = database
  if (database.pool) await checkClock(database.execute, log)
  await database.migrate()
  log.info('database: ready')
  await startGrace(db, config.adminFactor)
  for (const { prepare } of features) await prepare?.({ db, log, settings: config })
  return database
}

async function openMail(config: Config, state: ServiceState) {
  if (config.smtp) return { mail: watchMail(smtpMail(config.smtp), state), mailbox: null }
  const mailbox = await openMailbox(join(config.dataDir, 'mail'))
  return { mail: mailbox.mail, mailbox }
}

/** The file storage, after checking that it belongs to this installation. */
async function openOwnedFiles(config: Config, db: Db, log: Log, state: ServiceState) {
  const { dataDir, s3, adoptsStorage: adopt, production } = config
  const opened = await openFiles(dataDir, s3)
  const owned = await openStorage({ db, log, storage: opened.storage, kinds: storedKinds, adopt, production })
  return { ...opened, owned, storage: watchStorage(owned.storage, state) }
}

interface MetricSources {
  hub: Hub
  redis: RedisLink | null
  pool: Database['pool']
  states: { mail: ServiceState; storage: ServiceState }
  hasMail: boolean
}

function provideMetrics({ core }: Features, { hub, redis, pool, states, hasMail }: MetricSources): void {
  const { features, health, providers } = core
  provideDatabaseGauges(features.get(healthFeature).readFigures)
  provideGauges({
    database_up: async () => Number((await health.ready()).reason !== 'database'),
    storage_up: () => Number(states.storage.isUp()),
    ...(hasMail && { mail_up: () => Number(states.mail.isUp()) }),
    sockets: hub.size,
    running_answers: features.get(answers).engine.size,
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
