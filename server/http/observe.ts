import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { api } from '#contract/api.ts'
import { AppError } from '#server/lib/errors.ts'
import { noteWork } from '#server/lib/event-loop.ts'
import type { Log } from '#server/lib/log.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import { hostOf, isLoopback } from './client-ip.ts'
import { httpSeconds, registry } from './metrics.ts'
import type { App, Env } from './route.ts'

/**
 * Gives each request an id, a child logger and a log line. Only the route pattern is logged: paths, queries and bodies
 * contain tokens.
 */
export function observe(log: Log): MiddlewareHandler<Env> {
  return async (c, next) => {
    const requestId = randomUUID()
    const started = performance.now()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId }))
    const method = methodLabel(c.req.method)
    const route = routeLabel(c)
    const noteEnd = noteWork(`${method} ${route}`, requestId)
    await next()
    noteEnd()
    c.res.headers.set('x-request-id', requestId)
    const seconds = (performance.now() - started) / 1000
    const { status } = c.res
    httpSeconds.observe({ method, route, status: String(status) }, seconds)
    const facts = { method, route, status, ms: Math.round(seconds * 1000), userId: c.var.userId }
    c.var.log[levelOf(c, route, status)](facts, 'http: request answered')
  }
}

/** Routes that load balancers, Prometheus and browsers request all the time. */
const quietRoutes = new Set(['/api/health', '/api/health/ready', '/metrics', '/assets/*'])

function levelOf(c: Context<Env>, route: string, status: number): 'error' | 'info' | 'debug' {
  // 503 is deliberate, for example while stopping.
  if (status >= 500 && status !== 503) return 'error'
  if (quietRoutes.has(route)) return 'debug'
  const isFile = route === '/*' && status < 400 && !c.res.headers.get('content-type')?.startsWith('text/html')
  return isFile ? 'debug' : 'info'
}

/** Paths that the authentication library serves behind one pattern. */
const fixedPaths = new Set<string>(
  Object.values(api).flatMap((calls) => Object.values(calls).flatMap(({ path }) => (path.includes(':') ? [] : [path]))),
)
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
const methodLabel = (method: string) => (methods.has(method) ? method : 'other')

/** The route pattern, also of a rejected request; never a path that a client can invent. */
function routeLabel(c: Context<Env>): string {
  const handlers = matchedRoutes(c).filter(({ method }) => method !== 'ALL')
  const exact = handlers.find(({ path }) => !path.endsWith('*'))
  if (exact) return exact.path
  const path = c.req.path.replace(/\/+$/, '')
  if (fixedPaths.has(path)) return path
  if (path.startsWith('/assets/')) return '/assets/*'
  return handlers[0]?.path ?? 'none'
}

/** Without a token the metrics are shown only outside production and only on loopback. */
export function metricsRoute(app: App, options: { token: string | null; production: boolean }) {
  app.get('/metrics', async (c) => {
    const given = c.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
    const allowed = options.token ? isSameSecret(given, options.token) : !options.production && isLoopback(hostOf(c))
    if (!allowed) throw new AppError('unauthorized', 'Нужен заголовок Authorization с METRICS_TOKEN.')
    return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType })
  })
}
