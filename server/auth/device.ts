import { createHash, createHmac, randomBytes } from 'node:crypto'
import { sameText } from '#server/lib/same-text.ts'
import { keyFor } from './secret.ts'

/**
 * A random number that a browser keeps, so that we know it again: the one that asked for a link, or one that its
 * owner has signed in from before. It opens nothing by itself.
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

/** Gives the browser behind a request its number if it has none; what the answer must set, or null. */
export function ensureDevice(request: Request, appUrl: string): string | null {
  if (deviceIn(request.headers, appUrl)) return null
  const pair = `${cookieName(appUrl)}=${randomBytes(32).toString('base64url')}`
  const others = request.headers.get('cookie')
  request.headers.set('cookie', others ? `${others}; ${pair}` : pair)
  const secure = isHttps(appUrl) ? '; Secure' : ''
  return `${pair}; Max-Age=${YEAR_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** What the database keeps of it. */
export const deviceKey = (device: string): string => createHash('sha256').update(device).digest('base64url')

/** Marks a link as asked for by this browser; without the browser's number the mark says nothing. */
export function markOf(secret: string, device: string, token: string): string {
  return createHmac('sha256', keyFor(secret, 'links asked for')).update(`${device}\n${token}`).digest('base64url')
}

export function isMarkedBy(secret: string, device: string | null, token: string, mark: string | null): boolean {
  return device !== null && mark !== null && sameText(markOf(secret, device, token), mark)
}
