import { createHash } from 'node:crypto'
import { asc, gt } from 'drizzle-orm'
import type { ChainState } from '#contract/audit.ts'
import type { Db } from '#server/db/client.ts'
import { auditLog } from '#server/db/schema.ts'

export type AuditRow = typeof auditLog.$inferSelect
/** The hashed fields; the hash also covers the id and the previous hash. */
export type AuditContent = Omit<AuditRow, 'id' | 'hash' | 'prevHash'>

/** The previous hash of the first row. */
export const GENESIS = '0'.repeat(64)

/** The row as JSON with sorted keys. `act` is the stored name of `action`. */
export function canonical({ at, actorId, actorEmail, action, kind, target, ...rest }: AuditContent): string {
  const { before, after, note, ip, userAgent, requestId } = rest
  return ordered({ at, actorId, actorEmail, act: action, kind, target, before, after, note, ip, userAgent, requestId })
}

/** Must be computed as in the SQL function audit_append. */
export function hashRow(prevHash: string, id: number, content: string): string {
  return createHash('sha256').update(`${prevHash}:${id}:${content}`).digest('hex')
}

export function ordered(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

const PAGE = 1000

/** The state of the chain, and whether a hash stored elsewhere is still part of it. */
export interface Verified extends ChainState {
  isStoredHashFound: boolean
}

/** Reads the whole log page by page and stops at the first broken row. */
export async function verifyChain(db: Db, storedHash: string | null = null): Promise<Verified> {
  let [count, head, isStoredHashFound] = [0, GENESIS, storedHash === null]
  for await (const row of rows(db)) {
    const reason = findBreak(row, count, head)
    if (reason) return { count, head: count > 0 ? head : null, broken: { id: row.id, reason }, isStoredHashFound }
    count += 1
    head = row.hash
    if (head === storedHash) isStoredHashFound = true
  }
  return { count, head: count > 0 ? head : null, broken: null, isStoredHashFound }
}

function findBreak(row: AuditRow, count: number, head: string): NonNullable<ChainState['broken']>['reason'] | null {
  if (row.id !== count + 1) return 'gap'
  if (row.prevHash !== head) return 'link'
  return row.hash === hashRow(row.prevHash, row.id, canonical(row)) ? null : 'content'
}

async function* rows(db: Db): AsyncGenerator<AuditRow> {
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const page = await db.select().from(auditLog).where(gt(auditLog.id, last)).orderBy(asc(auditLog.id)).limit(PAGE)
    yield* page
    last = page.at(-1)?.id ?? last
    if (page.length < PAGE) return
  }
}

const breakLabels = {
  gap: 'перед ней не хватает записей',
  link: 'она не продолжает предыдущую',
  content: 'её содержание изменили',
}

/** The output of the command `audit:verify`. */
export function reportOf({ count, head, broken, isStoredHashFound }: Verified): { text: string; ok: boolean } {
  const lines = broken
    ? [`✗ Цепочка порвана на записи № ${broken.id}: ${breakLabels[broken.reason]}.`, `Целых записей до неё: ${count}`]
    : [`Цепочка цела. Записей: ${count}`]
  if (!isStoredHashFound) lines.unshift('✗ Сохранённого хеша в цепочке нет: журнал переписан или урезан.')
  lines.push(`Последний хеш: ${head ?? 'нет'}`)
  return { text: `${lines.join('\n')}\n`, ok: !broken && isStoredHashFound }
}
