import { randomInt } from 'node:crypto'
import { and, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import {
  type ApiKey,
  type ApiKeyChange,
  type ApiKeyDraft,
  type ApiKeys,
  KEY_SPENDING_DAYS,
  type KeySpending,
} from '#contract/api-keys.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { apiKeys, ledger, models } from '#server/db/schema.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { newApiKeyEmail } from '#server/email/templates/security.ts'
import type { Ctx } from '#server/http/context.ts'
import { noteRejection } from '#server/http/limits.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { dayOf, startOfDay } from '../billing/days.ts'
import { type KeyDeps, keysOff } from './find-key.ts'
import { hashApiKey, KEY_PREFIX } from './secret.ts'

export interface ApiKeyDeps extends KeyDeps {
  appName: string
  appUrl: string
  /** How many keys that have not ended a user may have. */
  most: number
}

export async function listKeys({ db, user }: Ctx, { appUrl, most }: ApiKeyDeps): Promise<ApiKeys> {
  const [keys, off] = await Promise.all([keysOf(db, user.id), keysOff(db)])
  return { keys, baseUrl: `${appUrl}/v1`, isOn: off.length === 0, most }
}

/** Those that have not ended come first, then by age. */
export async function keysOf(db: Db, userId: string): Promise<ApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(sql`${apiKeys.endedAt} is not null`, desc(apiKeys.createdAt), desc(apiKeys.id))
  return rows.map(toKey)
}

export async function createKey(
  ctx: Ctx,
  { keySecret, appName, appUrl, most }: ApiKeyDeps,
  { expiresAt, ...draft }: ApiKeyDraft,
): Promise<{ key: ApiKey; secret: string }> {
  const { db, user } = ctx
  const secret = newSecret()
  const key = await db.transaction(async (tx) => {
    await lockUser(tx, user.id)
    if ((await keysOff(tx)).length > 0) throw new AppError('forbidden', 'Владелец сервиса отключил ключи API.')
    if ((await tx.$count(apiKeys, and(eq(apiKeys.userId, user.id), isNull(apiKeys.endedAt)))) >= most) {
      noteRejection('api-keys')
      throw new AppError('conflict', `Ключей может быть не больше ${most}. Отключите те, что больше не нужны.`)
    }
    await checkModels(tx, draft.models)
    const [row] = await tx
      .insert(apiKeys)
      .values({
        ...draft,
        id: newId(),
        userId: user.id,
        hash: hashApiKey(keySecret, secret),
        prefix: secret.slice(0, KEY_PREFIX.length + 4),
        lastFour: secret.slice(-4),
        expiresAt: futureMoment(expiresAt),
      })
      .returning()
    if (!row) throw new Error('No key was inserted')
    const email = newApiKeyEmail({
      to: user.email,
      appName,
      appUrl,
      name: row.name,
      lastFour: row.lastFour,
      ip: ctx.ip,
    })
    await queueEmail(tx, `api-key:${row.id}`, email)
    return toKey(row)
  })
  return { key, secret }
}

export async function updateKey({ db, user }: Ctx, id: string, change: ApiKeyChange): Promise<ApiKey> {
  const { expiresAt, ...rest } = change
  if (rest.models !== undefined) await checkModels(db, rest.models)
  const values = { ...rest, ...(expiresAt !== undefined && { expiresAt: futureMoment(expiresAt) }) }
  if (Object.keys(values).length === 0) throw new AppError('bad_request', 'Назовите, что изменить.')
  const [row] = await db
    .update(apiKeys)
    .set(values)
    .where(and(ownKey(user.id, id), isNull(apiKeys.endedAt)))
    .returning()
  if (!row) throw keyNotFound()
  return toKey(row)
}

/** Ends a key for good; ending it again changes nothing. */
export async function endKey(db: Db, userId: string, id: string, by: 'user' | 'admin' = 'user'): Promise<ApiKey> {
  await db
    .update(apiKeys)
    .set({ endedAt: new Date(), endedByAdmin: by === 'admin' })
    .where(and(ownKey(userId, id), isNull(apiKeys.endedAt)))
  const [row] = await db.select().from(apiKeys).where(ownKey(userId, id))
  if (!row) throw keyNotFound()
  return toKey(row)
}

/** Symbols by day and key, the oldest day first. */
export async function spendingByKey({ db, user }: Ctx): Promise<KeySpending[]> {
  const day = sql<string>`money_day(${ledger.createdAt})::text`
  const from = startOfDay(dayOf(new Date()), 1 - KEY_SPENDING_DAYS)
  const ids = db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, user.id))
  const rows = await db
    .select({ day, keyId: sql<string>`${ledger.apiKeyId}`, symbols: sql<string>`-sum(${ledger.symbols})` })
    .from(ledger)
    .where(and(inArray(ledger.apiKeyId, ids), eq(ledger.userId, user.id), gte(ledger.createdAt, from)))
    .groupBy(day, ledger.apiKeyId)
    .orderBy(day, ledger.apiKeyId)
  return rows.map((row) => ({ ...row, symbols: Number(row.symbols) }))
}

const ownKey = (userId: string, id: string) => and(eq(apiKeys.id, id), eq(apiKeys.userId, userId))
const keyNotFound = () => notFound('Такого ключа нет')

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 43 characters of 62 are 256 bits. */
const newSecret = () =>
  KEY_PREFIX + Array.from({ length: 43 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

function futureMoment(moment: string | null): Date | null {
  if (moment === null) return null
  const date = new Date(moment)
  if (date <= new Date())
    throw new AppError('bad_request', 'Срок ключа должен кончаться в будущем.', { field: 'expiresAt' })
  return date
}

async function checkModels(db: Db, ids: string[] | null): Promise<void> {
  if (ids === null) return
  const known = await db.select({ id: models.id }).from(models).where(inArray(models.id, ids))
  if (known.length < ids.length)
    throw new AppError('bad_request', 'Такой модели нет. Выберите модели из списка.', { field: 'models' })
}

type KeyRow = typeof apiKeys.$inferSelect

/** Without the hash and the owner. */
function toKey(row: KeyRow): ApiKey {
  const { hash: _, userId: __, spentDay, spentToday, spentMonth, ...rest } = row
  const today = dayOf(new Date())
  return {
    ...rest,
    spentToday: spentDay === today ? spentToday : 0,
    spentMonth: spentDay?.slice(0, 7) === today.slice(0, 7) ? spentMonth : 0,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
