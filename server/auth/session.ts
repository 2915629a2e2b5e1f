import { createHmac, timingSafeEqual } from 'node:crypto'
import { BASE_ERROR_CODES } from 'better-auth'
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { selectNeededConsents } from '#server/db/needed-consents.ts'
import { sessions, users } from '#server/db/schema.ts'
import { statement, type Value } from '#server/db/statement.ts'
import type { CurrentSession, CurrentUser } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Auth } from './auth.ts'
import { hasRole } from './roles.ts'

type LibrarySession = NonNullable<Awaited<ReturnType<Auth['api']['getSession']>>>

/**
 * The session of a request, or null. Read from the database at every request, so that a revoked session ends at once on
 * every instance; the same statement reads whether a consent is lacking. It does not prolong the session, because an
 * API response would not carry the new cookie.
 */
export async function sessionOf(auth: Auth, db: Db, headers: Headers): Promise<CurrentSession | null> {
  const token = await tokenOf(auth, headers)
  const [row] = token === null ? [] : await readSession(db, { token })
  if (!row) return null
  return row.expires_ms < Date.now() ? endExpired(auth, headers) : sessionOfRow(auth, row)
}

async function tokenOf(auth: Auth, headers: Headers): Promise<string | null> {
  const { secret, authCookies } = await auth.$context
  return signedValue(headers.get('cookie'), authCookies.sessionToken.name, secret)
}

function sessionOfRow(auth: Auth, row: z.infer<typeof SessionRow>): CurrentSession {
  const { id, user_id, email, name, image, role, impersonated_by: impersonatedBy } = row
  return {
    ...toSession(auth, { id, impersonatedBy, user: { id: user_id, email, name, image, role } }),
    lastSeenAt: row.seen_ms === null ? null : new Date(row.seen_ms),
    lacksConsent: row.lacks_consent,
  }
}

const SessionRow = z.object({
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.nullable(z.string()),
  role: z.string(),
  impersonated_by: z.nullable(z.string()),
  expires_ms: z.coerce.number(),
  seen_ms: z.nullable(z.coerce.number()),
  lacks_consent: z.boolean(),
})

const readSession = statement(
  'session',
  (value: Value<'token'>) => sql`
    select s.id, s.user_id, u.email, u.name, u.image, u.role, s.impersonated_by,
      floor(extract(epoch from s.expires_at) * 1000) as expires_ms,
      floor(extract(epoch from u.last_seen_at) * 1000) as seen_ms,
      exists (${selectNeededConsents(sql`u.id`)}) as lacks_consent
    from ${sessions} s join ${users} u on u.id = s.user_id where s.token = ${value('token')}`,
  SessionRow,
)

/** The library deletes the session and reports its end. */
async function endExpired(auth: Auth, headers: Headers): Promise<null> {
  await withDatabaseError(auth.api.getSession({ headers, query: { disableRefresh: true } }))
  return null
}

/** The base64 of a SHA-256. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/

/** Null without a valid signature. */
export function signedValue(cookies: string | null, name: string, secret: string): string | null {
  const signed = firstCookie(cookies ?? '', name)
  const dot = signed.lastIndexOf('.')
  const [value, signature] = [signed.slice(0, dot), signed.slice(dot + 1)]
  if (dot < 1 || !SIGNATURE.test(signature)) return null
  const expected = createHmac('sha256', secret).update(value).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'base64')) ? value : null
}

/** The first cookie of this name, like the library: a neighbouring host may have added another. */
function firstCookie(cookies: string, name: string): string {
  const pair = cookies.split(';').find((text) => text.slice(0, text.indexOf('=')).trim() === name) ?? ''
  const value = pair.slice(pair.indexOf('=') + 1).trim()
  try {
    return decodeURIComponent(value.startsWith('"') ? value.slice(1, -1) : value)
  } catch {
    return ''
  }
}

/**
 * The same for a page load, which prolongs the session; the response must carry the cookies. Only the library prolongs
 * and removes sessions: it is asked when there is something to do.
 */
export async function sessionOfPageLoad(
  auth: Auth,
  db: Db,
  headers: Headers,
): Promise<{ session: CurrentSession | null; cookies: string[] }> {
  const token = await tokenOf(auth, headers)
  const [row] = token === null ? [] : await readSession(db, { token })
  const { expiresIn, updateAge } = (await auth.$context).sessionConfig
  if (row && row.expires_ms > Date.now() + (expiresIn - updateAge) * 1000)
    return { session: sessionOfRow(auth, row), cookies: [] }
  const reading = auth.api.getSession({ headers, returnHeaders: true })
  const { response, headers: answer } = await withDatabaseError(reading)
  return { session: response && currentSession(auth, response), cookies: answer.getSetCookie() }
}

/** The library reports only a general error when the database is unavailable. */
async function withDatabaseError<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (cause) {
    if (!(cause instanceof Error) || cause.message !== BASE_ERROR_CODES.FAILED_TO_GET_SESSION.message) throw cause
    throw new AppError('unavailable', 'База данных сейчас не отвечает. Повторите через несколько секунд.', {
      ...{ reason: 'database', retryAfterSeconds: 2, cause },
    })
  }
}

function currentSession(auth: Auth, { session, user }: LibrarySession): CurrentSession {
  const { id, email, name, image = null, role } = user
  const found = { id: session.id, impersonatedBy: session.impersonatedBy ?? null }
  return {
    ...toSession(auth, { ...found, user: { id, email, name, image, role } }),
    lastSeenAt: user.lastSeenAt ?? null,
  }
}

interface FoundSession extends Pick<CurrentSession, 'id' | 'impersonatedBy'> {
  user: Omit<CurrentUser, 'role'> & Pick<LibrarySession['user'], 'role'>
}

function toSession(auth: Auth, { id, impersonatedBy, user }: FoundSession): CurrentSession {
  const role = !impersonatedBy && isAdmin(auth, user) ? 'admin' : 'user'
  return { id, impersonatedBy, user: { ...user, role } }
}

function isAdmin(auth: Auth, { id, role }: FoundSession['user']): boolean {
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
