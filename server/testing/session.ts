import { randomBytes } from 'node:crypto'
import { makeSignature } from 'better-auth/crypto'
import type { SessionUser } from '#contract/page.ts'
import { DEFAULT_NAME_PROMPT } from '#contract/users.ts'
import type { Auth } from '#server/auth/auth.ts'
import type { Database, Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import { addressHash, startKeyOf } from '#server/features/billing/identity-hashes.ts'
import { newId } from '#server/lib/ids.ts'
import type { Visitor } from './visitor.ts'

/** Creates a user with a session directly, with half the statements of a sign-in link. Tests of auth use links. */
export async function openSession(db: Db, auth: Auth, visitor: Visitor, email: string): Promise<void> {
  const id = newId()
  await db.insert(users).values({ id, email, name: '', emailVerified: true, role: 'user' })
  const { token } = await (await auth.$context).internalAdapter.createSession(id)
  await giveCookie(auth, visitor, token)
}

interface NewPerson {
  email: string
  identityKey: Buffer
  startSymbols: number
}

/**
 * The rows that a first sign-in leaves, in one message to the database instead of seventeen statements: most tests
 * begin with a new person. `session.api.test.ts` compares them with those of `openSession`.
 */
export async function writePerson(
  { execute }: Pick<Database, 'execute'>,
  auth: Auth,
  visitor: Visitor,
  { email, identityKey, startSymbols }: NewPerson,
): Promise<SessionUser> {
  const [id, token] = [newId(), randomBytes(16).toString('hex')]
  const gift = `
    insert into identity_hashes (hash, subject) values (${quote(addressHash(identityKey, email))}, 'gift');
    select money_grant(${quote(startKeyOf(id))}, ${quote(newId())}, ${quote(id)}, 'gift', ${startSymbols}, null, '{}', null)`
  const { expiresIn } = (await auth.$context).sessionConfig
  await execute(`
    insert into users (id, email, name, email_verified, role) values (${quote(id)}, ${quote(email)}, '', true, 'user');
    insert into sessions (id, token, user_id, expires_at, created_at, updated_at, ip_address, user_agent)
      values (${quote(newId())}, ${quote(token)}, ${quote(id)}, now() + interval '${expiresIn} seconds', now(), now(), '', '');
    insert into settings (user_id, thread_model, thread_gpt_name_prompt) select ${quote(id)},
      (select id from models where not hidden and kind = 'text' order by position, id limit 1), ${quote(DEFAULT_NAME_PROMPT)};
    ${startSymbols > 0 ? gift : ''}`)
  await giveCookie(auth, visitor, token)
  return { id, email, name: '', image: null, role: 'user', impersonated: false }
}

async function giveCookie(auth: Auth, visitor: Visitor, token: string): Promise<void> {
  const { authCookies, secret } = await auth.$context
  const signed = `${token}.${await makeSignature(token, secret)}`
  visitor.cookies.set(authCookies.sessionToken.name, encodeURIComponent(signed))
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
