import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { createApp } from './app.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { aliveSessions } from './auth/alive-sessions.ts'
import { createAuth } from './auth/auth.ts'
import { socialProviders } from './auth/provider-ids.ts'
import { factorChecks, startGrace } from './auth/second-factor/requirement.ts'
import { authSecret, keyFor, PERSON_MARKS } from './auth/secret.ts'
import { sessionOf } from './auth/session.ts'
import { startBackground } from './background.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/client.ts'
import { checkClock } from './db/clock.ts'
import { ping } from './db/ping.ts'
import { seed } from './db/seed.ts'
import { sqlFolders } from './db/sql-folders.ts'
import { openMailbox } from './email/mailbox.ts'
import { smtpMail } from './email/smtp.ts'
import { openAnswers } from './features/answers/open.ts'
import { auditFactorChange } from './features/audit/factor-actions.ts'
import { keepMarks } from './features/billing/person-marks.ts'
import { giveStartGift } from './features/billing/start-gift.ts'
import { openFiles } from './features/files/deps.ts'
import { filesForModel } from './features/files/files.ts'
import { databaseGauges } from './features/health/database-gauges.ts'
import { createHealth } from './features/health/health.ts'
import { helpFolder, openSlugs, readHelp } from './features/help/pages.ts'
import { createImageQueue } from './features/images/image-queue.ts'
import { openKnowledge } from './features/knowledge/deps.ts'
import { findPassages } from './features/knowledge/retrieve.ts'
import { startModels } from './features/models/start-models.ts'
import { askIfRenewalDue } from './features/payments/ask-gateway.ts'
import { seedOffer } from './features/payments/plans.ts'
import { forgetPayer } from './features/payments/webhook-event-store.ts'
import { promptFolder, readSeeds } from './features/prompts/seeds.ts'
import { startPrompts } from './features/prompts/start-prompts.ts'
import { expectOrphans } from './features/storage/cleaning.ts'
import { openStorage } from './features/storage/owner.ts'
import { nameThread } from './features/threads/title.ts'
import { openTranscriptions } from './features/transcriptions/open.ts'
import { ensureProfile } from './features/users/users.ts'
import { createLimits } from './http/limits.ts'
import { addressOf, drain, listen } from './http/listen.ts'
import { describeProcess, provideDatabaseGauges, provideGauges } from './http/metrics.ts'
import { trustedOrigins } from './http/security.ts'
import { loadSite } from './http/site.ts'
import { watchMail, watchStorage } from './http/watched.ts'
import { newId } from './lib/ids.ts'
import { openLog } from './lib/log.ts'
import { normaliseEmail } from './lib/normalise-email.ts'
import { createProviders } from './llm/providers.ts'
import { openPayments } from './payments/shop.ts'
import { inProcessBus, redisBus } from './realtime/bus.ts'
import { createHub } from './realtime/hub.ts'
import { openRedis } from './realtime/redis.ts'
import { acceptSockets } from './realtime/socket.ts'
import { openInstance } from './work/instance.ts'

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
  await startGrace(database.db, config.adminFactor)
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
  const hub = createHub({ bus, buildId, aliveSessions: (ids) => aliveSessions(db, ids), onError })
  const limits = createLimits({ redis, pool }, config.limits.rows)
  const { mail, mailbox } = await openMail(config)
  const emails = new Set<Promise<void>>()
  const onBackground = (work: Promise<void>) => {
    emails.add(work)
    void work.finally(() => emails.delete(work))
  }
  const { shop, close: closeShop } = await openPayments(config.payments, config.port, log)
  const secret = await authSecret(config.authSecret, config.dataDir)
  const personKey = keyFor(secret, PERSON_MARKS)
  const payments = { shop, log, onBackground, personKey, appName: config.appName, appUrl: config.appUrl }
  const paymentDeps = { ...payments, db, publish: hub.publish }
  const origins = trustedOrigins(config.appUrl, config.production)
  const startGift = { db, limits, personKey, symbols: config.startSymbols, domains: config.giftDomains }
  const auth = createAuth({
    db,
    limits,
    mail,
    limitEmail: (to) => limits('emails', normaliseEmail(to)),
    appName: config.appName,
    appUrl: config.appUrl,
    secret,
    adminEmails: config.adminEmails,
    adminFactor: config.adminFactor,
    firstUserIsAdmin: config.firstUserIsAdmin,
    onSignIn: async ({ userId, ip, isImpersonated }) => {
      await ensureProfile(db, userId)
      if (!isImpersonated) await giveStartGift(startGift, userId, ip)
    },
    onSessionEnded: hub.endSession,
    onUserDeletion: async ({ id, email }) => {
      await keepMarks(db, personKey, [id])
      await forgetPayer({ db, personKey }, email)
      await expectOrphans(db, id)
    },
    onIdentityChanged: (userId) => keepMarks(db, personKey, [userId]),
    onFactorChange: (change) => auditFactorChange(db, change),
    trustedOrigins: origins,
    providers: config.socialProviders,
    trustedProviders: config.trustedProviders,
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
  const knowledge = await openKnowledge(database, providers, log, config.embeddingFreeSymbols)
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
    onOutOfSymbols: (userId) => askIfRenewalDue(paymentDeps, userId),
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
    factors: factorChecks({ db, adminFactor: config.adminFactor }),
    db,
    log,
    instance,
    limits,
    limitSettings: config.limits,
    publish: hub.publish,
    promoKey: keyFor(secret, 'promo codes'),
    personKey,
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
    imageQueue,
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
  const background = await startBackground({
    ...{ database, instance, log, health, mail, files, knowledge, owned, transcriptions },
    publish: hub.publish,
    payments: paymentDeps,
    onError,
  })
  const server = await listen(app.fetch, config)
  acceptSockets(server, {
    ...{ hub, limits, onError, trustedOrigins: origins, trustedProxies: config.trustedProxies },
    totals: config.limits.totals,
    sessionOf: (headers) => sessionOf(auth, headers),
    onRefused: (facts) => log.warn(facts, 'a websocket was refused by a limit'),
  })

  log.info({ address: addressOf(server) }, 'started: requests are taken')
  return {
    address: addressOf(server),
    buildId,
    log,
    close: async () => {
      log.info({ seconds: config.drainSeconds }, 'stopping: no new work is taken, running answers may finish')
      health.drain()
      const drainMs = config.drainSeconds * 1000
      await Promise.all([answers.close(drainMs), imageQueue.close(drainMs), transcriptions.close()])
      hub.close()
      await Promise.all([drain(server), files.pool.close(), background.close()])
      await Promise.allSettled(emails)
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
