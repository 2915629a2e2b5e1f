import { type Context, Hono } from 'hono'
import { authRoutes } from './auth/routes.ts'
import { factorChecks } from './auth/second-factor/proof.ts'
import { noteVisit, sessionOf } from './auth/session.ts'
import type { Mailbox } from './email/mailbox.ts'
import { mailboxRoutes } from './email/mailbox-routes.ts'
import { callAll } from './features/feature.ts'
import { page } from './features/page/feature.ts'
import { clientIp, loopbackOnly, refuseForwarded } from './http/client-ip.ts'
import { answerError, answerNotFound, errorPage } from './http/errors.ts'
import { metricsRoute, observe } from './http/observe.ts'
import { apiDocs } from './http/openapi.ts'
import { type App, type Env, isReading, refuseNulInAddress } from './http/route.ts'
import { checkOrigin, securityHeaders, trustedOrigins } from './http/security.ts'
import { type Site, siteRoutes } from './http/site.ts'
import type { Features } from './open-features.ts'

interface Pages {
  /** The built page; null in development and in tests. */
  site: Site | null
  /** Null when emails go to a mail server. */
  mailbox: Mailbox | null
}

/** The order of middleware; the features mount their calls themselves. */
export function createApp({ core, opened, watchAdminCall }: Features, { site, mailbox }: Pages): App {
  const { auth, db, publish, hub, limits, hooks, settings } = core
  const factors = factorChecks({ ...settings, db })
  const app: App = new Hono<Env>()
  app.onError(answerError)
  app.notFound(answerNotFound)
  app.use(observe(core.log))
  const { appUrl, analytics } = settings
  app.use(securityHeaders({ https: appUrl.startsWith('https:'), html: site?.html ?? '', analytics }))
  app.use(async (c, next) => {
    c.set('db', db)
    c.set('publish', publish)
    c.set('onSessionEnd', hub.onSessionEnd)
    c.set('limits', limits)
    c.set('sessionOf', async (headers) => {
      const session = await sessionOf(auth, db, headers)
      if (session) c.set('userId', session.user.id)
      return noteVisit(db, session)
    })
    c.set('factors', factors)
    c.set('assertConsents', callAll(hooks.consents))
    c.set('ip', ipOf(c, settings.trustedProxies))
    await next()
    // Every changing request counts, also one that publishes no event.
    if (!isReading(c.req.method) && c.var.userId) hub.changes.note(c.var.userId)
  })
  app.use('/api/*', refuseNulInAddress)
  if (mailbox) app.use(loopbackOnly)
  for (const inside of ['/dev/*', '/metrics']) app.use(inside, refuseForwarded)
  for (const { webhooks } of opened) webhooks?.(app)
  authRoutes(app, auth, limits, watchAdminCall)
  app.use('/api/*', checkOrigin(trustedOrigins(settings.appUrl, settings.production)))
  app.use('/api/*', async (c, next) => {
    await limits('api', c.var.ip)
    await next()
  })
  for (const { routes } of opened) routes?.(app)
  apiDocs(app, settings.appName)
  metricsRoute(app, { token: settings.metricsToken, production: settings.production })
  if (mailbox) mailboxRoutes(app, mailbox)
  app.get('/error', (c) => c.html(errorPage(c.req.query('error'), settings.appName)))
  if (site) siteRoutes(app, site, core.features.get(page))
  return app
}

function ipOf(c: Context<Env>, trustedProxies: number): string {
  return clientIp(c.env?.incoming?.socket.remoteAddress, c.req.header('x-forwarded-for'), trustedProxies)
}
