import { BASE_ERROR_CODES } from 'better-auth'
import type { CurrentSession } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Auth } from './auth.ts'
import { hasRole } from './roles.ts'
import { withFormerCookie } from './session-cookie.ts'

type Found = NonNullable<Awaited<ReturnType<Auth['api']['getSession']>>>

/**
 * Who is asking, by the cookie; null for a stranger. Read from the database, so a revoked session is gone at once.
 * It does not prolong the session: the cookie could not follow, and would run out while the row lives on.
 */
export async function sessionOf(auth: Auth, headers: Headers): Promise<CurrentSession | null> {
  const found = await whileThere(
    auth.api.getSession({ headers: withFormerCookie(headers), query: { disableRefresh: true } }),
  )
  return found && currentSession(auth, found)
}

/** The same for a page load, which prolongs the session; the answer must carry the cookies. */
export async function visitOf(
  auth: Auth,
  headers: Headers,
): Promise<{ session: CurrentSession | null; cookies: string[] }> {
  const asked = auth.api.getSession({ headers: withFormerCookie(headers), returnHeaders: true })
  const { response, headers: answer } = await whileThere(asked)
  return { session: response && currentSession(auth, response), cookies: answer.getSetCookie() }
}

/** The library says only that it could not be done, and it cannot when the database is away. */
async function whileThere<Result>(asked: Promise<Result>): Promise<Result> {
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
