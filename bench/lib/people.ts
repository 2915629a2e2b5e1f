import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '#server/db/client.ts'
import { apiKeys, models, sessions, users } from '#server/db/schema.ts'
import { apiKeySecret, hashApiKey } from '#server/features/api-keys/secret.ts'
import { grant } from '#server/features/billing/ledger.ts'
import { ensureProfile } from '#server/features/users/users.ts'
import { newId } from '#server/lib/ids.ts'
import { newTestKey } from '../../scripts/lib/test-key.ts'

export interface Person {
  id: string
  /** An IP address of their own, as behind a proxy: limits count people, not this machine. */
  headers: { cookie: string; origin: string; 'x-forwarded-for': string }
  /** A key by which programs call. */
  apiKey: string
}

export const SECRET = 'a secret of benches, known to everybody'
export const MODEL = 'bench'
const COOKIE = 'better-auth.session_token'
const SYMBOLS = 1_000_000_000
const WEEK_MS = 7 * 24 * 3600 * 1000

export async function addModel(db: Db): Promise<void> {
  await db
    .insert(models)
    .values({ id: MODEL, name: 'Измерение', provider: 'bench', providerModel: 'bench' })
    .onConflictDoNothing()
}

/** Users with symbols and open sessions, inserted into the database directly: sign-in is not measured. */
export async function addPeople(db: Db, count: number, origin: string): Promise<Person[]> {
  const people = Array.from({ length: count }, (_, i) => {
    return { id: newId(), token: randomBytes(16).toString('hex'), apiKey: newTestKey(), i }
  })
  await db
    .insert(users)
    .values(people.map(({ id, i }) => ({ id, name: `Человек ${i}`, email: `${id}@example.test`, emailVerified: true })))
  const expiresAt = new Date(Date.now() + WEEK_MS)
  await db.insert(sessions).values(people.map(({ id, token }) => ({ id: newId(), userId: id, token, expiresAt })))
  const keySecret = apiKeySecret(SECRET)
  await db.insert(apiKeys).values(
    people.map(({ id, apiKey }) => ({
      ...{ id: newId(), userId: id, name: 'Измерение', hash: hashApiKey(keySecret, apiKey) },
      ...{ prefix: apiKey.slice(0, 8), lastFour: apiKey.slice(-4) },
    })),
  )
  for (const { id } of people) {
    await ensureProfile(db, id)
    await grant(db, { userId: id, kind: 'gift', symbols: SYMBOLS, key: `start:${id}` })
  }
  return people.map(({ id, token, apiKey, i }) => ({
    ...{ id, apiKey },
    headers: { cookie: cookieFor(token), origin, 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` },
  }))
}

function cookieFor(token: string): string {
  const signature = createHmac('sha256', SECRET).update(token).digest('base64')
  return `${COOKIE}=${encodeURIComponent(`${token}.${signature}`)}`
}
