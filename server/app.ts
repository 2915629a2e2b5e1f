import { type Context, Hono } from 'hono'
import type { PageConfig } from '#contract/page.ts'
import type { Auth } from './auth/auth.ts'
import { authRoutes } from './auth/routes.ts'
import type { FactorChecks } from './auth/second-factor/proof.ts'
import { noteVisit, sessionOf } from './auth/session.ts'
import type { Db } from './db/client.ts'
import type { Mailbox } from './email/mailbox.ts'
import { mailboxRoutes } from './email/mailbox-routes.ts'
import type { AnswersDeps } from './features/answers/deps.ts'
import { answerRoutes } from './features/answers/routes.ts'
import { assistantRoutes } from './features/assistants/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { watchSignInActions } from './features/audit/sign-in-actions.ts'
import { billingRoutes } from './features/billing/routes.ts'
import { buildRoutes } from './features/builds/routes.ts'
import { disputeRoutes } from './features/disputes/routes.ts'
import type { FileDeps } from './features/files/deps.ts'
import { fileRoutes } from './features/files/routes.ts'
import type { Health } from './features/health/health.ts'
import { healthRoutes } from './features/health/routes.ts'
import type { Help } from './features/help/pages.ts'
import { helpRoutes } from './features/help/routes.ts'
import type { ImageQueue } from './features/images/image-queue.ts'
import { imageRoutes } from './features/images/routes.ts'
import type { KnowledgeDeps } from './features/knowledge/deps.ts'
import { assertConsents } from './features/legal/consents.ts'
import { legalRoutes } from './features/legal/routes.ts'
import { limitRoutes } from './features/limits/routes.ts'
import { modelRoutes } from './features/models/routes.ts'
import { createFactsReader, createPageReader } from './features/page/page-state.ts'
import { pageRoutes } from './features/page/routes.ts'
import type { Payments } from './features/payments/deps.ts'
import { paymentRoutes, webhookRoute } from './features/payments/routes.ts'
import { pendingQuestionRoutes } from './features/pending-question/routes.ts'
import { promocodeRoutes } from './features/promocodes/routes.ts'
import { promptRoutes } from './features/prompts/routes.ts'
import { ratingRoutes } from './features/ratings/routes.ts'
import { sharingRoutes } from './features/sharing/routes.ts'
import { statisticsRoutes } from './features/statistics/routes.ts'
import { statusRoutes } from './features/status/routes.ts'
import type { Services } from './features/status/status.ts'
import { summaryRoutes } from './features/summaries/routes.ts'
import { threadRoutes } from './features/threads/routes.ts'
import { transactionRoutes } from './features/transactions/routes.ts'
import type { Transcriptions } from './features/transcriptions/queue.ts'
import { transcriptionRoutes } from './features/transcriptions/routes.ts'
import { translateRoutes } from './features/translate/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { webSearchRoutes } from './features/web-search/quotes.ts'
import { clientIp, loopbackOnly, refuseForwarded } from './http/client-ip.ts'
import type { OnSessionEnd, Publish } from './http/context.ts'
import { answerError, answerNotFound, errorPage } from './http/errors.ts'
import { type LimitSettings, readLimits } from './http/limit-settings.ts'
import { createSlots, type Limits } from './http/limits.ts'
import { metricsRoute, observe } from './http/observe.ts'
import { apiDocs } from './http/openapi.ts'
import { type App, type Env, isReading, refuseNulInAddress } from './http/route.ts'
import { checkOrigin, securityHeaders } from './http/security.ts'
import { type Site, siteRoutes } from './http/site.ts'
import type { Instance } from './instances/instance.ts'
import type { Log } from './lib/log.ts'
import type { Providers } from './llm/providers.ts'
import type { Changes } from './realtime/changes.ts'

/** Everything the app needs, opened by server.ts or by a test. */
export interface Deps {
  auth: Auth
  /** Checks for second factors and recent proofs. */
  factors: FactorChecks
  db: Db
  log: Log
  limits: Limits
  /** The configured limits, for the admin screen; defaults when left out. */
  limitSettings?: LimitSettings
  publish: Publish
  onSessionEnd: OnSessionEnd
  changes: Changes
  /** Key of the HMAC of promo codes. */
  promoKey: Buffer
  /** Secret from which the keys of unsent words are derived. */
  wordsKey: Buffer
  /** Key of the HMAC of person marks. */
  identityKey: Buffer
  providers: Providers
  answers: AnswersDeps
  files: FileDeps
  /** The instance that owns long work of this process. */
  instance: Pick<Instance, 'id'>
  /** Passages and embeddings of assistants' files. */
  knowledge: KnowledgeDeps
  imageQueue: ImageQueue
  transcriptions: Transcriptions
  payments: Payments
  page: PageConfig
  help: Help
  /** The built page; null in development and in tests. */
  site: Site | null
  /** The development mailbox; null when emails go to a mail server. */
  mailbox: Mailbox | null
  /** Liveness and readiness. */
  health: Health
  /** What this installation has, for the status screen. */
  services: Services
  settings: {
    production: boolean
    appUrl: string
    trustedOrigins: string[]
    trustedProxies: number
    metricsToken: string | null
    /** The model for requests that name none. */
    defaultModel: string
    /** The symbols that the sign-in page offers to new users. */
    startSymbols: number
  }
}

const TOO_MANY_STREAMS = 'Открыто слишком много ответов сразу. Закройте лишние вкладки и повторите.'

export function createApp(deps: Deps): App {
  const { auth, page, settings, limitSettings = readLimits().settings } = deps
  const { totals } = limitSettings
  const takeStream = createSlots('open-streams', totals['open-streams'], TOO_MANY_STREAMS)
  const app: App = new Hono<Env>()
  app.onError(answerError)
  app.notFound(answerNotFound)
  app.use(observe(deps.log))
  app.use(securityHeaders({ https: settings.appUrl.startsWith('https:'), analytics: page.analytics }))
  app.use(async (c, next) => {
    c.set('db', deps.db)
    c.set('publish', deps.publish)
    c.set('onSessionEnd', deps.onSessionEnd)
    c.set('limits', deps.limits)
    c.set('sessionOf', async (headers) => {
      const session = await sessionOf(auth, deps.db, headers)
      if (session) c.set('userId', session.user.id)
      return noteVisit(deps.db, session)
    })
    c.set('factors', deps.factors)
    c.set('assertConsents', (userId) => assertConsents(deps.db, userId))
    c.set('ip', ipOf(c, settings.trustedProxies))
    await next()
    // Every changing request counts, also one that publishes no event.
    if (!isReading(c.req.method) && c.var.userId) deps.changes.note(c.var.userId)
  })
  app.use('/api/*', refuseNulInAddress)
  if (deps.mailbox) app.use(loopbackOnly)
  for (const inside of ['/dev/*', '/metrics']) app.use(inside, refuseForwarded)
  const payments = { ...deps.payments, db: deps.db, publish: deps.publish }
  webhookRoute(app, payments)
  authRoutes(app, auth, deps.limits, watchSignInActions)
  app.use('/api/*', checkOrigin(settings.trustedOrigins))
  app.use('/api/*', async (c, next) => {
    await deps.limits('api', c.var.ip)
    await next()
  })

  userRoutes(app, deps.wordsKey)
  modelRoutes(app, deps.providers)
  billingRoutes(app)
  transactionRoutes(app)
  promocodeRoutes(app, deps)
  disputeRoutes(app, deps.payments)
  paymentRoutes(app, payments, deps)
  translateRoutes(app, { ...deps, defaultModel: settings.defaultModel })
  threadRoutes(app, { ...deps, defaultModel: settings.defaultModel, totals })
  summaryRoutes(app, { ...deps, readFiles: deps.answers.readFiles })
  sharingRoutes(app, totals)
  answerRoutes(app, { ...deps.answers, takeStream })
  webSearchRoutes(app)
  ratingRoutes(app)
  promptRoutes(app, totals)
  fileRoutes(app, { ...deps, ...deps.files })
  auditRoutes(app)
  assistantRoutes(app, { ...deps, ...deps.files, findPassages: deps.answers.findPassages, takeStream })
  imageRoutes(app, { storage: deps.files.storage, imageQueue: deps.imageQueue })
  transcriptionRoutes(app, { ...deps.transcriptions, limits: deps.limits })
  limitRoutes(app, limitSettings, deps.knowledge.freeSymbols)
  legalRoutes(app)
  statisticsRoutes(app)
  statusRoutes(app, deps.db, deps.services)
  helpRoutes(app, deps.help)
  const readFacts = createFactsReader(deps)
  pendingQuestionRoutes(app, auth)
  pageRoutes(app, page, (headers) => readFacts(headers, async () => null))
  buildRoutes(app, page.buildId)
  healthRoutes(app, deps.health)
  apiDocs(app, page.appName)
  metricsRoute(app, { token: settings.metricsToken, production: settings.production })
  if (deps.mailbox) mailboxRoutes(app, deps.mailbox)
  app.get('/error', (c) => c.html(errorPage(c.req.query('error'), page.appName)))
  if (deps.site) {
    siteRoutes(app, deps.site, { config: page, read: createPageReader(readFacts, deps) })
  }
  return app
}

function ipOf(c: Context<Env>, trustedProxies: number): string {
  return clientIp(c.env?.incoming?.socket.remoteAddress, c.req.header('x-forwarded-for'), trustedProxies)
}
