import { createHash } from 'node:crypto'
import { asc, gt, sql } from 'drizzle-orm'
import type { ChainState } from '#contract/audit.ts'
import type { Db } from '#server/db/client.ts'
import { auditLog } from '#server/db/schema.ts'
import { beforeCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { storableText } from '#server/lib/storable.ts'

/** Secrets and unchanged fields of `before` and `after` are removed. */
export interface AuditNote {
  /** Like `plan.change`. */
  action: string
  /** The kind of the target, such as `plan`. */
  kind: string
  /** Null for an action on many targets or on none. */
  target: string | null
  before?: unknown
  after?: unknown
  note?: string
}

export type Actor = Pick<Ctx, 'db' | 'ip' | 'request'> & { user: Pick<Ctx['user'], 'id' | 'email'> }

/**
 * Records the action in the caller's transaction. The row is appended right before the commit, wherever this is
 * called, so that the lock of the chain cannot cause a deadlock.
 */
export async function audit(ctx: Actor, { action, kind, target, before, after, note }: AuditNote): Promise<void> {
  const content: AuditContent = {
    at: new Date(),
    actorId: ctx.user.id,
    actorEmail: storableShortText(ctx.user.email),
    action,
    kind,
    target: target === null ? null : storableShortText(target),
    ...changes(before, after),
    note: note ? storableShortText(note) : null,
    ip: ctx.ip || null,
    userAgent: ctx.request?.userAgent ? storableShortText(ctx.request.userAgent) : null,
    requestId: ctx.request?.id ?? null,
  }
  await beforeCommit(ctx.db, (db) => append(db, content))
}

async function append(db: Db, content: AuditContent): Promise<void> {
  await db.execute(sql`select audit_append(${canonicalJson(content)})`)
}

type Fields = Record<string, unknown>

const MAX_TEXT = 2000
const MAX_ITEMS = 500
const secretName = /passw|secret|credential|cookie|authorization|(api|private|secret)_?key|hash$|token$|^code$|^codes$/i

/** Removes secrets, shortens long texts and replaces characters that Postgres cannot store. */
function storedFields(value: unknown): Fields | null {
  if (value === undefined || value === null) return null
  const plain: unknown = storableValue(JSON.parse(JSON.stringify(value)))
  return isFields(plain) ? plain : { value: plain }
}

/** Only the fields that differ; all of them for a created or deleted target. */
function changes(before: unknown, after: unknown): { before: Fields | null; after: Fields | null } {
  const [was, is] = [storedFields(before), storedFields(after)]
  if (!was || !is) return { before: was, after: is }
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changed = names.filter((name) => sortedJson(was[name] ?? null) !== sortedJson(is[name] ?? null))
  return { before: pick(was, changed), after: pick(is, changed) }
}

function storableShortText(text: string): string {
  return storableText(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableShortText(value)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(storableValue)
  if (!isFields(value)) return value
  const fields = Object.entries(value).filter(([name]) => !secretName.test(name))
  return Object.fromEntries(fields.map(([name, inner]) => [storableShortText(name), storableValue(inner)]))
}

const pick = (fields: Fields, names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function namesBeforeAfter(before: { name: string }[], after: { name: string }[]) {
  return { before: { order: before.map(({ name }) => name) }, after: { order: after.map(({ name }) => name) } }
}

export type AuditRow = typeof auditLog.$inferSelect
/** The hashed fields; the hash also covers the id and the previous hash. */
export type AuditContent = Omit<AuditRow, 'id' | 'hash' | 'prevHash'>

/** The previous hash of the first row. */
export const GENESIS = '0'.repeat(64)

/** The row as JSON with sorted keys. */
export function canonicalJson({ at, actorId, actorEmail, action, kind, target, ...rest }: AuditContent): string {
  const { before, after, note, ip, userAgent, requestId } = rest
  return sortedJson({
    at,
    actorId,
    actorEmail,
    action,
    kind,
    target,
    before,
    after,
    note,
    ip,
    userAgent,
    requestId,
  })
}

/** Must be computed as in the SQL function audit_append. */
export function hashRow(prevHash: string, id: number, content: string): string {
  return createHash('sha256').update(`${prevHash}:${id}:${content}`).digest('hex')
}

export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

const PAGE = 1000

export interface VerifiedChain extends ChainState {
  isStoredHashFound: boolean
}

/** Reads the whole log page by page and stops at the first broken row. */
export async function verifyChain(db: Db, storedHash: string | null = null): Promise<VerifiedChain> {
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
  return row.hash === hashRow(row.prevHash, row.id, canonicalJson(row)) ? null : 'content'
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
export function reportOf({ count, head, broken, isStoredHashFound }: VerifiedChain): { text: string; ok: boolean } {
  const lines = broken
    ? [`✗ Цепочка порвана на записи № ${broken.id}: ${breakLabels[broken.reason]}.`, `Целых записей до неё: ${count}`]
    : [`Цепочка цела. Записей: ${count}`]
  if (!isStoredHashFound) lines.unshift('✗ Сохранённого хеша в цепочке нет: журнал переписан или урезан.')
  lines.push(`Последний хеш: ${head ?? 'нет'}`)
  return { text: `${lines.join('\n')}\n`, ok: !broken && isStoredHashFound }
}
