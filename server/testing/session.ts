import { makeSignature } from 'better-auth/crypto'
import type { Auth } from '#server/auth/auth.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { Visitor } from './visitor.ts'

/** Creates a user with a session directly, in half the statements of a sign-in link. Tests of authentication use links. */
export async function openSession(db: Db, auth: Auth, visitor: Visitor, email: string): Promise<void> {
  const id = newId()
  await db.insert(users).values({ id, email, name: '', emailVerified: true, role: 'user' })
  const { internalAdapter, authCookies, secret } = await auth.$context
  const { token } = await internalAdapter.createSession(id)
  const signed = `${token}.${await makeSignature(token, secret)}`
  visitor.cookies.set(authCookies.sessionToken.name, encodeURIComponent(signed))
}
