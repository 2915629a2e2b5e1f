import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { OutputItem } from '#contract/openai-responses.ts'
import { programAnswers } from '#server/db/schema.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { badField } from './errors.ts'
import { decrypt, encrypt, type RepeatDeps } from './repeats.ts'

/**
 * Items of answers that a program names by their ids instead of sending them again, for a day. An id has a random part
 * per answer that only the program knows: the row has its hash, and the text is encrypted with a key that is made from
 * it.
 */

const SECRET_BYTES = 16
const ITEM_ID = /^[a-z]+_([\w-]{22})(\d+)$/
const ITEMS = 'items'
const MOST_ANSWERS = 1000

/** Of the items of one person; the oldest go first. */
export const MAX_KEPT_BYTES = 20 * 1024 * 1024

export interface ItemIds {
  secret: string
  next: (kind: 'msg' | 'rs' | 'fc' | 'ctc' | 'tsc') => string
}

export function createItemIds(): ItemIds {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  let count = 0
  return { secret, next: (kind) => `${kind}_${secret}${count++}` }
}

interface Lock {
  id: string
  cipherKey: Buffer
}

function lockOf({ repeatSecret }: RepeatDeps, userId: string, secret: string): Lock {
  const id = createHmac('sha256', repeatSecret).update(`${ITEMS}\0${userId}\0${secret}`).digest('base64url')
  return { id, cipherKey: Buffer.from(hkdfSync('sha256', secret, repeatSecret, id, 32)) }
}

export async function keepItems(
  deps: RepeatDeps,
  userId: string,
  { secret }: ItemIds,
  items: readonly OutputItem[],
): Promise<void> {
  if (items.length === 0) return
  const { id, cipherKey } = lockOf(deps, userId, secret)
  const body = encrypt(cipherKey, Buffer.from(JSON.stringify(items)))
  const row = { id, userId, request: ITEMS, type: ITEMS, instance: deps.instance.id, body }
  await retryWhileUnavailable(async () => {
    await deps.db.insert(programAnswers).values(row).onConflictDoNothing()
    await deps.db.delete(programAnswers).where(inArray(programAnswers.id, sql`(${overQuota(userId)})`))
  })
}

const ofPerson = (userId: string) => and(eq(programAnswers.userId, userId), eq(programAnswers.type, ITEMS))

function overQuota(userId: string) {
  const newestFirst = sql`order by ${programAnswers.createdAt} desc, ${programAnswers.id}`
  const total = sql`sum(octet_length(${programAnswers.body})) over (${newestFirst})`
  return sql`select id from (
    select ${programAnswers.id} as id, ${total} as total from ${programAnswers} where ${ofPerson(userId)}
  ) sized where total > ${MAX_KEPT_BYTES}`
}

/** The items that a request names; those that are not there any more are missing. */
export async function findItems(
  deps: RepeatDeps,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, OutputItem>> {
  const secrets = new Set(ids.flatMap((id) => ITEM_ID.exec(id)?.[1] ?? []))
  const locks = new Map([...secrets].map((secret) => [secret, lockOf(deps, userId, secret)] as const))
  if (locks.size === 0) return new Map()
  if (locks.size > MOST_ANSWERS)
    throw badField('input', `По id можно назвать части не больше ${MOST_ANSWERS} ответов.`, 'unsupported_value')
  const rowIds = [...locks.values()].map(({ id }) => id)
  const rows = await deps.db
    .select({ id: programAnswers.id, body: programAnswers.body })
    .from(programAnswers)
    .where(and(ofPerson(userId), inArray(programAnswers.id, rowIds)))
  const bodies = new Map(rows.map(({ id, body }) => [id, body]))
  const items = [...locks.values()].flatMap(({ id, cipherKey }) => {
    const body = bodies.get(id)
    return body ? (JSON.parse(decrypt(cipherKey, body).toString('utf8')) as OutputItem[]) : []
  })
  return new Map(items.map((item) => [item.id, item]))
}
