import { BASE_ERROR_CODES } from 'better-auth'
import { and, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Auth } from './auth.ts'
import { hasRole } from './roles.ts'

type Found = NonNullable<Awaited<ReturnType<Auth['api']['getSession']>>>

/**
 * The session of a request, or null. Read from the database, so a revoked session ends at once. It does not prolong the
 * session, because an API response would not carry the new cookie.
 */
export async function sessionOf(auth: Auth, headers: Headers): Promise<CurrentSession | null> {
  const found = await withDatabaseError(
    auth.api.getSession({ headers: withFormerCookie(headers), query: { disableRefresh: true } }),
  )
  return found && currentSession(auth, found)
}

/** The same for a page load, which prolongs the session; the response must carry the cookies. */
export async function visitOf(
  auth: Auth,
  headers: Headers,
): Promise<{ session: CurrentSession | null; cookies: string[] }> {
  const asked = auth.api.getSession({ headers: withFormerCookie(headers), returnHeaders: true })
  const { response, headers: answer } = await withDatabaseError(asked)
  return { session: response && currentSession(auth, response), cookies: answer.getSetCookie() }
}

/** The library reports only a general error when the database is unavailable. */
async function withDatabaseError<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (cause) {
    if (!(cause instanceof Error) || cause.message !== BASE_ERROR_CODES.FAILED_TO_GET_SESSION.message) throw cause
    throw new AppError('unavailable', 'База данных сейчас не отвечает. Повторите через несколько секунд.', {
      ...{ reason: 'database', retryAfterSeconds: 2, cause },
    })
  }
}

function currentSession(auth: Auth, { session, user }: Found): CurrentSession {
  return {
    id: session.id,
    impersonatedBy: session.impersonatedBy ?? null,
    lastSeenAt: user.lastSeenAt ?? null,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      image: user.image ?? null,
      role: !session.impersonatedBy && isAdmin(auth, user) ? 'admin' : 'user',
    },
  }
}

function isAdmin(auth: Auth, { id, role }: Found['user']): boolean {
  return hasRole(role, 'admin') || listedAdmins(auth).includes(id)
}

function listedAdmins(auth: Auth): string[] {
  const plugin = auth.options.plugins.find(({ id }) => id === 'admin')
  return plugin && 'options' in plugin && plugin.options && 'adminUserIds' in plugin.options
    ? (plugin.options.adminUserIds ?? [])
    : []
}

/** Which of these sessions exist, have not expired and belong to users who are not banned. */
export async function aliveSessions(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.id, ids), gt(sessions.expiresAt, new Date()), eq(users.banned, false)))
  return new Set(rows.map(({ id }) => id))
}

const HOUR_MS = 3_600_000

/** Stores the time of the last visit, at most once an hour. Impersonated requests do not count as a visit. */
export async function noteVisit(db: Db, session: CurrentSession | null): Promise<CurrentSession | null> {
  const now = new Date()
  const anHourAgo = new Date(now.getTime() - HOUR_MS)
  if (!session || session.impersonatedBy || (session.lastSeenAt && session.lastSeenAt > anHourAgo)) return session
  await db
    .update(users)
    .set({ lastSeenAt: now })
    .where(and(eq(users.id, session.user.id), lt(users.lastSeenAt, anHourAgo)))
  return session
}

/**
 * Under https, authentication cookies use the `__Host-` prefix, so no other host of the domain can set them. The
 * library only knows `__Secure-`, so its option is off and name and `Secure` are set here.
 */
const HOST_PREFIX = '__Host-better-auth'
const TOKEN = 'session_token'
const FORMER = `__Secure-better-auth.${TOKEN}`

export const cookieOptions = (appUrl: string) =>
  appUrl.startsWith('https:')
    ? { useSecureCookies: false, cookiePrefix: HOST_PREFIX, defaultCookieAttributes: { secure: true } }
    : {}

/**
 * Accepts the cookie under its former name until the session is next prolonged. Sessions live a week, so this can be
 * removed a week after the release.
 */
export function withFormerCookie(headers: Headers): Headers {
  const cookies = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const former = cookies.find((pair) => pair.startsWith(`${FORMER}=`))
  if (!former || cookies.some((pair) => pair.startsWith(`${HOST_PREFIX}.${TOKEN}=`))) return headers
  const renamed = new Headers(headers)
  renamed.set('cookie', [...cookies, `${HOST_PREFIX}.${TOKEN}=${former.slice(FORMER.length + 1)}`].join('; '))
  return renamed
}
