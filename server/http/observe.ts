import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import type { App, Env } from './route.ts'

export interface Metrics {
  registry: Registry
  seconds: Histogram<'method' | 'route' | 'status'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return { registry, seconds }
}

/** Gives each request an id, a log of its own and a line when it ends. Queries and bodies are not logged: they hold secrets. */
export function observe(log: Log, metrics: Metrics): MiddlewareHandler<Env> {
  return async (c, next) => {
    const requestId = randomUUID()
    const started = performance.now()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId }))
    await next()
    c.res.headers.set('x-request-id', requestId)
    const { method } = c.req
    const seconds = (performance.now() - started) / 1000
    const status = c.res.status
    metrics.seconds.observe({ method, route: routePath(c, -1), status: String(status) }, seconds)
    const level = status >= 500 ? 'error' : 'debug'
    c.var.log[level]({ method, path: c.req.path, status, ms: Math.round(seconds * 1000) }, 'answered')
  }
}

/** Without a token the figures are shown in the try-out only, which listens on this machine alone. */
export function metricsRoute(app: App, metrics: Metrics, options: { token: string | null; production: boolean }) {
  app.get('/metrics', async (c) => {
    const given = c.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
    const allowed = options.token ? sameText(given, options.token) : !options.production
    if (!allowed) throw new AppError('unauthorized', 'Нужен заголовок Authorization с METRICS_TOKEN.')
    return c.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType })
  })
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
