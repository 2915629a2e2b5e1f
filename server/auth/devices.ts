import { createHash, createHmac, randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { apiKeys, knownDevices, users } from '#server/db/schema.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { newSignInEmail } from '#server/email/templates/security.ts'
import { isSameSecret, keyFor } from '#server/lib/secrets.ts'
import type { AuthDeps } from './deps.ts'
import { forgetTrustedDevices, isCompleteSignIn, removeFactors } from './second-factor/require-second-factor.ts'

/**
 * A random id stored in a cookie. It recognises the browser that requested a link, or that its owner has signed in from
 * before. It grants no access by itself.
 */
const NAME = 'device'
const YEAR_SECONDS = 365 * 24 * 3600
const VALUE = /^[\w-]{43}$/

const isHttps = (appUrl: string) => appUrl.startsWith('https:')
const cookieName = (name: string, appUrl: string) => (isHttps(appUrl) ? `__Host-${name}` : name)

export const deviceIn = (headers: Headers | undefined, appUrl: string): string | null => hashIn(headers, NAME, appUrl)

/** The value of a cookie of ours that is 43 characters of base64url, as a SHA-256 is; null without one. */
export function hashIn(headers: Headers | undefined, name: string, appUrl: string): string | null {
  const prefix = `${cookieName(name, appUrl)}=`
  for (const pair of (headers?.get('cookie') ?? '').split(';')) {
    const value = pair.trim()
    if (value.startsWith(prefix) && VALUE.test(value.slice(prefix.length))) return value.slice(prefix.length)
  }
  return null
}

export function cookieOf(name: string, value: string, seconds: number, appUrl: string): string {
  return `${cookieName(name, appUrl)}=${value}; Max-Age=${seconds}; Path=/; SameSite=Lax${isHttps(appUrl) ? '; Secure' : ''}`
}

/** Sets a device id on the request if it has none. Returns the Set-Cookie value, or null. */
export function ensureDevice(request: Request, appUrl: string): string | null {
  if (deviceIn(request.headers, appUrl)) return null
  const device = randomBytes(32).toString('base64url')
  const others = request.headers.get('cookie')
  const pair = `${cookieName(NAME, appUrl)}=${device}`
  request.headers.set('cookie', others ? `${others}; ${pair}` : pair)
  return `${cookieOf(NAME, device, YEAR_SECONDS, appUrl)}; HttpOnly`
}

/** Stored instead of the device id. */
const deviceKey = (device: string): string => createHash('sha256').update(device).digest('base64url')

/** Signs a link for the browser that requested it; the signature is useless without the device id. */
export function signLink(secret: string, device: string, token: string): string {
  return createHmac('sha256', keyFor(secret, 'requested links')).update(`${device}\n${token}`).digest('base64url')
}

export function isSignedForDevice(secret: string, device: string | null, token: string, mark: string | null): boolean {
  return device !== null && mark !== null && isSameSecret(signLink(secret, device, token), mark)
}

const MAX_DEVICES = 100
/** At most one email about new devices in this time. */
const QUIET_MS = 10 * 60_000

export async function isKnownDevice(db: Db, userId: string, device: string | null): Promise<boolean> {
  if (!device) return false
  const [row] = await db.select().from(knownDevices).where(isDeviceOf(userId, device))
  return row !== undefined
}

/** Remembers the browser that created an account before its first sign-in. */
export async function rememberDevice(db: Db, userId: string, device: string | null): Promise<void> {
  if (!device) return
  await db
    .insert(knownDevices)
    .values({ userId, device: deviceKey(device) })
    .onConflictDoNothing()
}

/** No browser is known any more, and each is asked for the second factor. */
export async function forgetDevices(db: Db, userId: string): Promise<void> {
  await db.delete(knownDevices).where(eq(knownDevices.userId, userId))
  await forgetTrustedDevices(db, userId)
}

/** The new owner of an address gets none of the former owner's browsers, codes, passkeys or API keys. */
export async function forgetFormerOwner(db: Db, userId: string): Promise<void> {
  await forgetDevices(db, userId)
  await removeFactors(db, userId)
  await endApiKeysOf(db, userId)
}

/** Ends all keys of a person for good, and says how many. */
export async function endApiKeysOf(db: Db, userId: string): Promise<number> {
  const isUsable = and(eq(apiKeys.userId, userId), isNull(apiKeys.endedAt))
  const ended = await db.update(apiKeys).set({ endedAt: new Date() }).where(isUsable).returning({ id: apiKeys.id })
  return ended.length
}

export interface NewSession {
  userId: string
  ipAddress?: string | null | undefined
  userAgent?: string | null | undefined
  impersonatedBy?: unknown
}

/** Remembers the browser of a sign-in and emails the owner about a new one, except the very first. */
export async function noteSignIn(
  { db, appName, appUrl }: AuthDeps,
  session: NewSession,
  { path, headers }: { path?: string | undefined; headers?: Headers | undefined },
): Promise<void> {
  if (session.impersonatedBy || !headers) return
  const [user] = await db.select().from(users).where(eq(users.id, session.userId))
  // Without the second factor this session ends at once; the session after it is the sign-in.
  if (!user || (user.twoFactorEnabled && !isCompleteSignIn(path))) return
  const device = deviceIn(headers, appUrl)
  const { userId } = session
  const key = device && deviceKey(device)
  const known = and(eq(knownDevices.userId, userId), isNotNull(knownDevices.signedInAt))
  const others = await db
    .select({ device: knownDevices.device })
    .from(knownDevices)
    .where(known)
    .orderBy(desc(knownDevices.signedInAt))
  const isNew = !others.some((other) => other.device === key)
  if (key) await saveDevice(db, userId, key)
  if (others.length >= MAX_DEVICES) await dropOldest(db, userId, others.slice(MAX_DEVICES - 1))
  if (!isNew || others.length === 0) return
  if (!user.emailVerified) return
  const now = new Date()
  const message = newSignInEmail({ to: user.email, appName, appUrl, at: now, ...session })
  await queueEmail(db, `new-device:${userId}:${Math.floor(now.getTime() / QUIET_MS)}`, message)
}

async function saveDevice(db: Db, userId: string, device: string): Promise<void> {
  const signedInAt = new Date()
  await db
    .insert(knownDevices)
    .values({ userId, device, signedInAt })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.device], set: { signedInAt } })
}

async function dropOldest(db: Db, userId: string, oldest: { device: string }[]): Promise<void> {
  const devices = oldest.map(({ device }) => device)
  await db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), inArray(knownDevices.device, devices)))
}

const isDeviceOf = (userId: string, device: string) =>
  and(eq(knownDevices.userId, userId), eq(knownDevices.device, deviceKey(device)))
