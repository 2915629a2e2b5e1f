import type { MiddlewareHandler } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import type { Env } from './route.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a state-changing call that another site makes a browser send. Browsers always name the origin on such
 * calls; a client that names none is not a browser and carries nobody's cookies by accident.
 */
export function checkOrigin(trusted: readonly string[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!reading.has(c.req.method)) refuseForeign(c.req.raw.headers, trusted)
    await next()
  }
}

export function refuseForeign(headers: Headers, trusted: readonly string[]): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign =
    origin === null ? site !== null && site !== 'same-origin' && site !== 'none' : !trusted.includes(origin)
  if (isForeign) throw new AppError('forbidden', 'Запрос пришёл с чужого сайта.')
}

/** The address of the product; in the try-out also the loopback names a person may type instead. */
export function trustedOrigins(appUrl: string, production: boolean): string[] {
  const url = new URL(appUrl)
  if (production) return [url.origin]
  return [
    url.origin,
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => `${url.protocol}//${host}:${url.port || 80}`),
  ]
}

const forFiles = { 'x-content-type-options': 'nosniff' }

interface Outside {
  https: boolean
  /** Where visits are counted, if anywhere. */
  analytics: { url: string | null; yandexMetrikaId: string | null }
}

export function securityHeaders({ https, analytics }: Outside): MiddlewareHandler<Env> {
  const metrika = analytics.yandexMetrikaId ? ' https://mc.yandex.ru' : ''
  const collector = analytics.url ? ` ${new URL(analytics.url).origin}` : ''
  const headers = {
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${metrika}`,
      "style-src 'self' 'unsafe-inline'",
      // Pictures of other sites are shown only after a click on each: the page decides, not an answer.
      "img-src 'self' data: blob: https:",
      "font-src 'self'",
      "media-src 'self' blob:",
      `connect-src 'self'${collector}${metrika}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
    'cross-origin-opener-policy': 'same-origin',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  return async (c, next) => {
    await next()
    // A script or a font shows nothing by itself, and a first visit fetches a dozen of them.
    const needed = c.req.path.startsWith('/assets/') ? forFiles : headers
    for (const [name, value] of Object.entries(needed)) c.res.headers.set(name, value)
    // Answers are about somebody: nothing between the server and the page keeps them unless the call says so.
    if (/^\/(?:api|builds)\//.test(c.req.path) && !c.res.headers.has('cache-control'))
      c.res.headers.set('cache-control', 'no-store')
  }
}
