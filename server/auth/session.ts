import type { CurrentSession } from '#server/http/context.ts'
import type { Auth } from './auth.ts'
import { hasRole } from './roles.ts'

type Found = NonNullable<Awaited<ReturnType<Auth['api']['getSession']>>>

/**
 * Who is asking, by the cookie; null for a stranger. Read from the database, so a revoked session is gone at once.
 * It does not prolong the session: the cookie could not follow, and would run out while the row lives on.
 */
export async function sessionOf(auth: Auth, headers: Headers): Promise<CurrentSession | null> {
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } })
  return found && currentSession(auth, found)
}

/** The same for a page load, which prolongs the session; the answer must carry the cookies. */
export async function visitOf(
  auth: Auth,
  headers: Headers,
): Promise<{ session: CurrentSession | null; cookies: string[] }> {
  const { response, headers: answer } = await auth.api.getSession({ headers, returnHeaders: true })
  return { session: response && currentSession(auth, response), cookies: answer.getSetCookie() }
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
