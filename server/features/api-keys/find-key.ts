import { and, eq, exists, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { selectNeededConsents } from '#server/db/needed-consents.ts'
import { apiKeys, switchedOff, users } from '#server/db/schema.ts'
import { preparedOnce } from '#server/db/statement.ts'
import { AppError } from '#server/lib/errors.ts'
import { createNetworkCheck } from '#server/lib/networks.ts'
import { isBanned } from '../users/user-list.ts'
import { hashApiKey, KEY_PREFIX } from './secret.ts'

export interface KeyDeps {
  db: Db
  /** The key of the HMAC that is stored instead of an API key. */
  keySecret: Buffer
}

/** What a call needs to know of the key that it came with. */
export interface UsedKey {
  id: string
  userId: string
  name: string
  /** Ids of models; null for all. */
  models: string[] | null
  maskPersonal: boolean
  capDay: number | null
  capMonth: number | null
}

/** Why a key is refused, as programs know it. */
export type KeyRefusal = 'invalid_api_key' | 'ip_not_authorized' | 'api_keys_off'

export class ApiKeyError extends AppError {
  readonly refusal: KeyRefusal

  constructor(refusal: KeyRefusal, message: string) {
    super(refusal === 'invalid_api_key' ? 'unauthorized' : 'forbidden', message)
    this.refusal = refusal
  }
}

const invalid = (message: string) => new ApiKeyError('invalid_api_key', message)

/** «sym-» and 43 characters. */
const FORM = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{43}$`)

/**
 * The key of an `Authorization` header. Read from the database by every call, so that a key that was ended a moment ago
 * on another instance is refused here; the same statement reads whether its owner lacks a consent. Throws
 * `ApiKeyError`.
 */
export async function findKey(
  { db, keySecret }: KeyDeps,
  authorization: string | null | undefined,
  clientAddress: string,
): Promise<{ key: UsedKey; lacksConsent: boolean }> {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (given === undefined)
    throw invalid('Нужен ключ API в заголовке Authorization: Bearer sym-… Создайте его в профиле.')
  const row = FORM.test(given) ? (await readKey(db).execute({ hash: hashApiKey(keySecret, given) }))[0] : undefined
  if (!row || row.banned) throw invalid('Такого ключа API нет. Проверьте, что он скопирован целиком.')
  if (row.key.endedAt) throw endedKey()
  if (row.key.expiresAt && row.key.expiresAt <= new Date())
    throw invalid('Срок этого ключа API истёк. Продлите его в профиле или создайте новый.')
  if (row.isOff) throw new ApiKeyError('api_keys_off', 'Владелец сервиса отключил ключи API.')
  const { addresses } = row.key
  if (addresses.length > 0 && !createNetworkCheck(addresses)(clientAddress))
    throw new ApiKeyError('ip_not_authorized', 'С этого адреса ключом API пользоваться нельзя: его нет в списке ключа.')
  await noteUse(db, row.key, clientAddress)
  const { id, userId, name, models, maskPersonal, capDay, capMonth } = row.key
  return { key: { id, userId, name, models, maskPersonal, capDay, capMonth }, lacksConsent: row.lacksConsent }
}

export const endedKey = () => invalid('Этот ключ API отключён. Создайте в профиле новый.')

/** Those of the keys that running calls may go on with. */
export async function workingKeys(db: Db, ids: string[]): Promise<Set<string>> {
  const isWorking = and(inArray(apiKeys.id, ids), sql`is_working_key(${apiKeys.id})`)
  const rows = await db.select({ id: apiKeys.id }).from(apiKeys).where(isWorking)
  return new Set(rows.map(({ id }) => id))
}

type KeyRow = typeof apiKeys.$inferSelect

const readKey = preparedOnce((db) =>
  db
    .select({
      key: apiKeys,
      banned: sql<boolean>`${isBanned(sql`now()`)}`,
      isOff: exists(keysOff(db)).mapWith(Boolean),
      lacksConsent: sql<boolean>`exists (${selectNeededConsents(users.id)})`,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare('api_key'),
)

/** A row when the owner of the installation has switched all keys off. */
export const keysOff = (db: Db) =>
  db.select({ part: switchedOff.part }).from(switchedOff).where(eq(switchedOff.part, 'api-keys'))

const MINUTE_MS = 60_000

/** At most one write a minute for a key, however many calls and instances there are. */
async function noteUse(db: Db, { id, lastUsedAt }: KeyRow, lastUsedFrom: string): Promise<void> {
  const now = new Date()
  const before = new Date(now.getTime() - MINUTE_MS)
  if (lastUsedAt && lastUsedAt > before) return
  const isOld = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now, lastUsedFrom })
    .where(and(eq(apiKeys.id, id), isOld))
}
