import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Db } from '#server/db/client.ts'
import { programAnswers } from '#server/db/schema.ts'
import type { Env } from '#server/http/route.ts'
import { type Instance, isOwnerStale } from '#server/instances/instance.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { Job } from '#server/jobs/jobs.ts'
import type { UsedKey } from '../api-keys/find-key.ts'
import { badField, OpenAiError } from './errors.ts'

/**
 * Answers to calls with `Idempotency-Key`, for a day: a repeat gets the same answer and costs nothing. It is the only
 * text of programs that is stored, encrypted with a key that is made from the header, which is not stored.
 */

export interface RepeatDeps {
  db: Db
  instance: Pick<Instance, 'id'>
  repeatSecret: Buffer
  /** All stored answers of one person; an answer that does not fit is not stored. */
  repeatBytes: number
}

/** A larger answer is not stored: its repeat is a new call. */
const MAX_STORED_BYTES = 8 * 1024 * 1024
const NAME = /^[\x21-\x7e]{1,255}$/
const PARAM = 'Idempotency-Key'

interface StoredAnswer {
  type: string
  bytes: Buffer
}

/** What a call does with its answer, when its client wants to be able to repeat it. */
export interface Repeat {
  keep: (answer: StoredAnswer) => Promise<void>
  /** The call failed, so a repeat is a new call. */
  forget: () => Promise<void>
}

/** Null without the header; the stored answer when the call was made before. */
export async function openRepeat(
  c: Context<Env>,
  deps: RepeatDeps,
  key: UsedKey,
  body: Uint8Array,
): Promise<Repeat | Response | null> {
  const name = c.req.header('idempotency-key')
  if (name === undefined) return null
  if (!NAME.test(name)) throw badField(PARAM, `В заголовке ${PARAM} нужно от 1 до 255 латинских букв, цифр и знаков.`)
  const { db, instance, repeatSecret, repeatBytes } = deps
  const hash = (...parts: (string | Uint8Array)[]) =>
    parts.reduce((hmac, part) => hmac.update(part).update('\0'), createHmac('sha256', repeatSecret)).digest('base64url')
  const id = hash(key.id, name)
  const request = hash(c.req.path, body)
  const cipherKey = Buffer.from(hkdfSync('sha256', name, repeatSecret, id, 32))
  const own = and(eq(programAnswers.id, id), eq(programAnswers.instance, instance.id))

  await db.delete(programAnswers).where(and(eq(programAnswers.id, id), isOver))
  const [begun] = await db
    .insert(programAnswers)
    .values({ id, request, userId: key.userId, instance: instance.id })
    .onConflictDoNothing()
    .returning({ id: programAnswers.id })
  if (!begun) return storedAnswer(deps, { id, request, cipherKey })
  return {
    keep: async ({ type, bytes }) => {
      const answer = bytes.length <= MAX_STORED_BYTES ? { type, body: encrypt(cipherKey, bytes) } : null
      await retryWhileUnavailable(async () => {
        const isStored = answer !== null && (await storeWithin(db, key.userId, answer, own, repeatBytes))
        if (!isStored) await db.delete(programAnswers).where(own)
      })
    },
    forget: async () => void (await retryWhileUnavailable(() => db.delete(programAnswers).where(own))),
  }
}

/** Locks the answers of this person, so that parallel calls do not pass the limit together. */
function storeWithin(
  db: Db,
  userId: string,
  answer: { type: string; body: Buffer },
  own: SQL | undefined,
  most: number,
): Promise<boolean> {
  const { body } = programAnswers
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, ${ANSWERS_LOCK}))`)
    const [stored] = await tx
      .select({ bytes: sql<number>`coalesce(sum(octet_length(${body})), 0)::float8` })
      .from(programAnswers)
      .where(eq(programAnswers.userId, userId))
    if ((stored?.bytes ?? 0) + answer.body.length > most) return false
    await tx.update(programAnswers).set(answer).where(own)
    return true
  })
}

const ANSWERS_LOCK = 7205434

/** Older than a day, or left unfinished by a process that died. */
const isOver = or(
  lt(programAnswers.createdAt, sql`now() - interval '1 day'`),
  and(sql`${programAnswers.body} is null`, isOwnerStale(programAnswers.instance)),
)

interface Asked {
  id: string
  request: string
  cipherKey: Buffer
}

async function storedAnswer({ db }: RepeatDeps, { id, request, cipherKey }: Asked): Promise<Response> {
  const [row] = await db.select().from(programAnswers).where(eq(programAnswers.id, id))
  if (row && row.request !== request)
    throw badField(PARAM, `С этим ${PARAM} уже был другой запрос. Для нового нужен новый.`, 'idempotency_key_reused')
  if (!row?.body || !row.type)
    throw new OpenAiError(`Запрос с этим ${PARAM} ещё выполняется. Повторите через несколько секунд.`, {
      ...{ status: 409, code: 'idempotency_in_progress', retryAfterSeconds: 2 },
    })
  return new Response(new Uint8Array(decrypt(cipherKey, row.body)), {
    headers: { 'content-type': row.type, 'idempotent-replayed': 'true' },
  })
}

const IV_BYTES = 12
const TAG_BYTES = 16

export function encrypt(key: Buffer, bytes: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed])
}

export function decrypt(key: Buffer, stored: Buffer): Buffer {
  const opener = createDecipheriv('aes-256-gcm', key, stored.subarray(0, IV_BYTES))
  opener.setAuthTag(stored.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([opener.update(stored.subarray(IV_BYTES + TAG_BYTES)), opener.final()])
}

export const forgetAnswersJob = (db: Db): Job => ({
  name: 'forget-program-answers',
  cron: '41 * * * *',
  limitSeconds: 300,
  run: () => db.delete(programAnswers).where(isOver),
})
