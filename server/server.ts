import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import * as z from 'zod'
import { createApp } from './app.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { aliveSessions } from './auth/alive-sessions.ts'
import { createAuth } from './auth/auth.ts'
import { socialProviders } from './auth/provider-ids.ts'
import { authSecret, keyFor } from './auth/secret.ts'
import { sessionOf } from './auth/session.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/client.ts'
import { checkClock, isClockOff } from './db/clock.ts'
import { ping } from './db/ping.ts'
import { seed } from './db/seed.ts'
import { sqlFolders } from './db/sql-folders.ts'
import { openAnswers } from './features/answers/open.ts'
import { createAnswerRecovery } from './features/answers/recover.ts'
import { scheduleBilling } from './features/billing/schedule.ts'
import { sweepHolds } from './features/billing/sweeper.ts'
import { filesForModel } from './features/files/files.ts'
import { readLeft } from './features/files/reading.ts'
import { scheduleFiles } from './features/files/schedule.ts'
import { openFiles } from './features/files/world.ts'
import { databaseGauges } from './features/health/database-gauges.ts'
import { createHealth } from './features/health/health.ts'
import { helpFolder, openSlugs, readHelp } from './features/help/pages.ts'
import { recoverImages } from './features/images/recover.ts'
import { createStudio } from './features/images/studio.ts'
import { findExcerpts } from './features/knowledge/retrieve.ts'
import { scheduleKnowledge } from './features/knowledge/schedule.ts'
import { openKnowledge } from './features/knowledge/world.ts'
import { startModels } from './features/models/start-models.ts'
import { seedOffer } from './features/payments/offer.ts'
import { schedulePayments } from './features/payments/schedule.ts'
import { schedulePrompts } from './features/prompts/schedule.ts'
import { promptFolder, readSeeds } from './features/prompts/seeds.ts'
import { startPrompts } from './features/prompts/start-prompts.ts'
import { scheduleStatistics } from './features/statistics/schedule.ts'
import { expectOrphans } from './features/storage/cleaning.ts'
import { openStorage } from './features/storage/owner.ts'
import { scheduleStorage } from './features/storage/schedule.ts'
import { scheduleThreads } from './features/threads/schedule.ts'
import { nameThread } from './features/threads/title.ts'
import { openTranscriptions } from './features/transcriptions/open.ts'
import { scheduleTranscriptions } from './features/transcriptions/schedule.ts'
import { ensureProfile } from './features/users/users.ts'
import { createLimits } from './http/limits.ts'
import { countRecovered, describeProcess, provideDatabaseGauges, provideGauges } from './http/metrics.ts'
import { trustedOrigins } from './http/security.ts'
import { loadSite } from './http/site.ts'
import { watchMail, watchStorage } from './http/watched.ts'
import { openJobs } from './jobs/jobs.ts'
import { startSweep } from './jobs/sweeps.ts'
import { newId } from './lib/ids.ts'
import { openLog } from './lib/log.ts'
import { createProviders } from './llm/providers.ts'
import { openMailbox } from './mail/mailbox.ts'
import { startOutbox } from './mail/outbox.ts'
import { smtpMail } from './mail/smtp.ts'
import { openPayments } from './payments/open.ts'
import { inProcessBus, redisBus } from './realtime/bus.ts'
import { createHub } from './realtime/hub.ts'
import { openRedis } from './realtime/redis.ts'
import { acceptSockets } from './realtime/socket.ts'
import { openInstance } from './work/instance.ts'
import { createRecovery } from './work/recovery.ts'

/** How long connections may still end by themselves when all answers have. */
const LAST_WORDS_MS = 500
/** How often each process looks for what dead ones left. */
const RECOVER_MS = 1500
const READ_FILES_MS = 10_000
const LOOK_FOR_RECORDINGS_MS = 5000
const COMPARE_CLOCKS_MS = 60_000

/** Opens everything the settings ask for and serves it on one port. */
export async function openServer(config: Config) {
  z.config(z.locales.ru())
  const here = dirname(fileURLToPath(import.meta.url))
  const site = existsSync(join(here, 'build.json')) ? loadSite(here) : null
  const buildId = config.buildId ?? site?.buildId ?? 'development'
  const bootId = newId()
  const log = openLog(config.logLevel, undefined, { instance: bootId, build: buildId })
  const onError = (error: unknown) => log.error({ err: error }, 'background failure')
  describeProcess({ build: buildId, instance: bootId })
  log.info({ node: process.version }, 'starting')

  log.info({ database: 'url' in config.database ? 'postgres' : 'embedded' }, 'opening the database')
  const database = await openDatabase(config.database, sqlFolders(), { poolSize: config.databasePoolSize, log })
  if (database.pool) await checkClock(database.execute, log)
  await database.migrate()
  log.info('the database is ready')
  await seed(database.db)
  await startModels(database.db, {
    providers: config.modelProviders.map(({ name }) => name),
    defaultModel: config.defaultModel,
    wantsDemo: config.wantsDemo,
  })
  const library = readSeeds(promptFolder())
  if (library.problems.length > 0) log.warn({ problems: library.problems }, 'prompts are not in order')
  await startPrompts(database.db, library.seeds)
  if (!config.production) await seedOffer(database.db)
  const redis = config.redisUrl ? await openRedis({ url: config.redisUrl, prefix: config.redisPrefix, log }) : null
  const bus = redis ? redisBus(redis, log) : inProcessBus(onError)
  const help = readHelp(helpFolder())
  if (help.problems.length > 0) log.warn({ problems: help.problems }, 'help pages are not in order')
  const { db, pool } = database
  const instance = await openInstance({
    db,
    lockUrl: 'url' in config.database && config.database.url ? config.database.url : null,
    log,
    id: bootId,
    name: `${hostname()}:${config.port}`,
  })
  const health = createHealth(() => ping(db))
  if (redis) health.degradedWhile('redis', () => !redis.isUp())
  let clockIsOff = false
  health.degradedWhile('clock', () => clockIsOff)
  const hub = createHub({ bus, buildId, aliveSessions: (ids) => aliveSessions(db, ids), onError })
  const { mail, mailbox } = await openMail(config)
  const letters = new Set<Promise<void>>()
  const onBackground = (work: Promise<void>) => {
    letters.add(work)
    void work.finally(() => letters.delete(work))
  }
  const { shop, close: closeShop } = await openPayments(config.payments, config.port, log)
  const payments = { shop, log, onBackground, appName: config.appName, appUrl: config.appUrl }
  const origins = trustedOrigins(config.appUrl, config.production)
  const secret = await authSecret(config.authSecret, config.dataDir)
  const auth = createAuth({
    db,
    mail,
    appName: config.appName,
    appUrl: config.appUrl,
    secret,
    adminEmails: config.adminEmails,
    firstUserIsAdmin: config.adminEmails.length === 0 && 'folder' in config.database,
    onSignIn: (userId) => ensureProfile(db, userId, config.startSymbols),
    onSessionEnded: hub.endSession,
    onUserDeletion: (userId) => expectOrphans(db, userId),
    trustedOrigins: origins,
    providers: config.socialProviders,
    log,
    onBackground,
  })
  const opened = await openFiles(config.dataDir, config.s3)
  const owned = await openStorage({
    db,
    log,
    storage: opened.storage,
    adopt: config.adoptsStorage,
    production: config.production,
  })
  const files = { ...opened, storage: watchStorage(owned.storage) }
  const providers = createProviders(config.modelProviders, { timeouts: config.modelTimeouts })
  const knowledge = await openKnowledge(database, providers, log)
  const naming = { db, publish: hub.publish, log, providers, defaultModel: config.defaultModel }
  const answers = openAnswers({
    db,
    log,
    instance,
    maxRunning: config.maxRunningAnswers,
    bus,
    publish: hub.publish,
    providers,
    afterAnswer: (answer) => nameThread(naming, answer),
    readFiles: (ctx, ids) => filesForModel(ctx, files.storage, ids),
    findExcerpts: (ctx, ask) => findExcerpts(ctx.db, knowledge, ask),
    storage: files.storage,
  })
  const studio = createStudio({ db, log, publish: hub.publish, providers, storage: files.storage, instance })
  const transcriptions = openTranscriptions({
    db,
    instance,
    log,
    publish: hub.publish,
    providers,
    storage: files.storage,
    incoming: files.incoming,
    ffmpeg: await findFfmpeg(),
  })
  provideDatabaseGauges(() => databaseGauges(db))
  provideGauges({
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
  const app = createApp({
    auth,
    db,
    log,
    instance,
    limits: createLimits({ redis, pool }),
    publish: hub.publish,
    promoKey: keyFor(secret, 'promo codes'),
    payments,
    page: {
      appName: config.appName,
      buildId,
      socialProviders: config.socialProviders.map(({ id }) => ({ id, name: socialProviders[id] })),
      supportUrl: config.supportUrl,
      mailboxUrl: mailbox ? '/dev/mail' : null,
      openHelp: openSlugs(help),
      analytics: config.analytics,
    },
    help,
    providers,
    answers,
    files,
    knowledge,
    studio,
    transcriptions,
    site,
    mailbox,
    health,
    settings: {
      production: config.production,
      appUrl: config.appUrl,
      trustedOrigins: origins,
      trustedProxies: config.trustedProxies,
      metricsToken: config.metricsToken,
      defaultModel: config.defaultModel,
    },
  })
  const jobs = openJobs(database, onError)
  const recovery = { db, publish: hub.publish, log }
  const billing = {
    db,
    onChanged: (userId: string) => hub.publish(userId, { topic: 'profile', type: 'balance', data: null }),
    onError: (error: unknown, context: object) => log.error({ err: error, ...context }, 'billing sweep failed'),
  }
  const readingWorld = { ...files, db, publish: hub.publish, log, knowledge, instance }
  const every = (name: string, everyMs: number, sweep: () => Promise<number>) =>
    startSweep({ name, everyMs, sweep, onError: (error) => log.error({ err: error, sweep: name }, 'a sweep failed') })
  const sweeps = [
    await scheduleBilling(jobs, billing),
    every(
      'recover',
      RECOVER_MS,
      createRecovery({
        db,
        instance,
        log,
        onRecovered: countRecovered,
        kinds: [
          { kind: 'answer', recover: createAnswerRecovery(recovery) },
          { kind: 'image', recover: () => recoverImages(recovery) },
          { kind: 'hold', recover: () => sweepHolds(billing) },
        ],
      }),
    ),
    every('read-files', READ_FILES_MS, () => readLeft(readingWorld)),
    every('compare-clocks', COMPARE_CLOCKS_MS, async () => {
      if (pool) clockIsOff = await isClockOff(database.execute, log)
      return 0
    }),
    every('look-for-recordings', LOOK_FOR_RECORDINGS_MS, async () => {
      transcriptions.hearing.kick()
      return 0
    }),
  ]
  // A crash may be why this process starts: what it left is looked at now. Nothing of that can stop a start.
  for (const sweep of sweeps) void sweep.runNow()
  await scheduleThreads(jobs, db)
  await schedulePayments(jobs, { ...payments, db, publish: hub.publish })
  await schedulePrompts(jobs, db)
  await scheduleStatistics(jobs, db)
  await scheduleFiles(jobs, readingWorld)
  await scheduleKnowledge(jobs, db, knowledge)
  await scheduleTranscriptions(jobs, { ...transcriptions, db })
  await scheduleStorage(jobs, { db, owned, log })
  await jobs.start()
  log.info('jobs are started')
  const outbox = startOutbox({ db, mail, log })
  const server = await listen(app.fetch, config)
  acceptSockets(server, { hub, trustedOrigins: origins, sessionOf: (headers) => sessionOf(auth, headers), onError })

  log.info({ address: addressOf(server) }, 'started: requests are taken')
  return {
    address: addressOf(server),
    buildId,
    log,
    close: async () => {
      log.info({ seconds: config.drainSeconds }, 'stopping: no new work is taken, running answers may finish')
      health.drain()
      const drainMs = config.drainSeconds * 1000
      await Promise.all([answers.close(drainMs), studio.close(drainMs), transcriptions.close()])
      await Promise.all(sweeps.map((sweep) => sweep.close()))
      hub.close()
      await drain(server)
      await Promise.allSettled(letters)
      await outbox.close()
      await files.pool.close()
      await jobs.close()
      await closeShop()
      await instance.close()
      redis?.close()
      await database.close()
      log.info('stopped')
    },
  }
}

/** A mail server when one is set, otherwise the development mailbox. */
async function openMail(config: Config) {
  if (config.smtp) return { mail: watchMail(smtpMail(config.smtp)), mailbox: null }
  const mailbox = await openMailbox(join(config.dataDir, 'mail'))
  return { mail: mailbox.mail, mailbox }
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], { host, port }: Config): Promise<Server> {
  return new Promise((done, fail) => {
    const server = serve({ fetch, hostname: host, port }, () => done(server)) as Server
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      fail(taken ? new Error(`Порт ${port} занят. Освободите его или задайте другой PORT.`) : error)
    })
  })
}

/** Stops accepting, lets running requests finish, cuts what is still there in the end. */
function drain(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS).unref()
  })
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
