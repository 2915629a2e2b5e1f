import { createHash, createHmac, randomBytes } from 'node:crypto'
import { sameText } from '#server/lib/same-text.ts'
import { keyFor } from './secret.ts'

/**
 * A random id stored in a cookie. It recognises the browser that requested a link, or that its owner has signed in from
 * before. It grants no access by itself.
 */
const NAME = 'device'
const YEAR_SECONDS = 365 * 24 * 3600
const VALUE = /^[\w-]{43}$/

const isHttps = (appUrl: string) => appUrl.startsWith('https:')
const cookieName = (appUrl: string) => (isHttps(appUrl) ? `__Host-${NAME}` : NAME)

export function deviceIn(headers: Headers | undefined, appUrl: string): string | null {
  const prefix = `${cookieName(appUrl)}=`
  for (const pair of (headers?.get('cookie') ?? '').split(';')) {
    const value = pair.trim()
    if (value.startsWith(prefix) && VALUE.test(value.slice(prefix.length))) return value.slice(prefix.length)
  }
  return null
}

/** Sets a device id on the request if it has none. Returns the Set-Cookie value, or null. */
export function ensureDevice(request: Request, appUrl: string): string | null {
  if (deviceIn(request.headers, appUrl)) return null
  const pair = `${cookieName(appUrl)}=${randomBytes(32).toString('base64url')}`
  const others = request.headers.get('cookie')
  request.headers.set('cookie', others ? `${others}; ${pair}` : pair)
  const secure = isHttps(appUrl) ? '; Secure' : ''
  return `${pair}; Max-Age=${YEAR_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Stored instead of the device id. */
export const deviceKey = (device: string): string => createHash('sha256').update(device).digest('base64url')

/** Signs a link for the browser that requested it; the signature is useless without the device id. */
export function signLink(secret: string, device: string, token: string): string {
  return createHmac('sha256', keyFor(secret, 'links asked for')).update(`${device}\n${token}`).digest('base64url')
}

export function isSignedForDevice(secret: string, device: string | null, token: string, mark: string | null): boolean {
  return device !== null && mark !== null && sameText(signLink(secret, device, token), mark)
}
