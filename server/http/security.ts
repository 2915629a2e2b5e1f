import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import type { Env } from './route.ts'

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects state-changing calls from other sites. Browsers always send the origin on such calls; a client without one is
 * not a browser and sends no cookies of a user.
 */
export function checkOrigin(trusted: readonly string[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!readMethods.has(c.req.method)) assertTrustedOrigin(c.req.raw.headers, trusted)
    await next()
  }
}

export function assertTrustedOrigin(headers: Headers, trusted: readonly string[]): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign =
    origin === null ? site !== null && site !== 'same-origin' && site !== 'none' : !trusted.includes(origin)
  if (isForeign) throw new AppError('forbidden', 'Запрос пришёл с чужого сайта.')
}

/** The product's own origin; outside production also its loopback names. */
export function trustedOrigins(appUrl: string, production: boolean): string[] {
  const url = new URL(appUrl)
  if (production) return [url.origin]
  return [
    url.origin,
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => `${url.protocol}//${host}:${url.port || 80}`),
  ]
}

const fileSecurityHeaders = { 'x-content-type-options': 'nosniff' }

interface SecurityOptions {
  https: boolean
  /** The built page; its inline scripts may run. */
  html: string
  analytics: { url: string | null; yandexMetrikaId: string | null }
}

const hashesOf = (html: string) =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)]
    .map(([, script = '']) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    .join('')

export function securityHeaders({ https, html, analytics }: SecurityOptions): MiddlewareHandler<Env> {
  const metrika = analytics.yandexMetrikaId ? ' https://mc.yandex.ru' : ''
  const collector = analytics.url ? ` ${new URL(analytics.url).origin}` : ''
  const headers = {
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${hashesOf(html)}${metrika}`,
      "style-src 'self' 'unsafe-inline'",
      // External images are shown only after a click on each.
      "img-src 'self' data: blob: https:",
      "font-src 'self'",
      "media-src 'self' blob:",
      `connect-src 'self'${collector}${metrika}`,
      "worker-src 'self'",
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
    // Scripts and fonts need no page headers, and a first visit loads a dozen of them.
    const needed = c.req.path.startsWith('/assets/') ? fileSecurityHeaders : headers
    // A file brings stricter headers of its own.
    for (const [name, value] of Object.entries(needed)) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    // Responses are personal or errors, and must not be cached unless they allow it.
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  }
}
