import type { CurrentSession } from '#server/http/context.ts'
import type { Auth } from './auth.ts'
import { hasRole } from './roles.ts'

/** Who is asking, by the cookie; null for a stranger. The library answers from the database, so a revoked session is gone at once. */
export async function sessionOf(auth: Auth, headers: Headers): Promise<CurrentSession | null> {
  const found = await auth.api.getSession({ headers })
  if (!found) return null
  const { session, user } = found
  return {
    id: session.id,
    impersonatedBy: session.impersonatedBy ?? null,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      image: user.image ?? null,
      role: hasRole(user.role, 'admin') ? 'admin' : 'user',
    },
  }
}
