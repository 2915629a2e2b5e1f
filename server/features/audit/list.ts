import { and, asc, count, desc, eq, gte, ilike, lt, or, type SQL } from 'drizzle-orm'
import type { AuditEntry, AuditQuery } from '#contract/audit.ts'
import type { Db } from '#server/db/client.ts'
import { auditLog } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { startOfDay } from '../billing/days.ts'
import type { AuditRow } from './chain.ts'
import { targetNames } from './target-names.ts'

export async function listAudit(
  { db }: Ctx,
  { page, size, sort = '-at', ...filter }: AuditQuery,
): Promise<{ items: AuditEntry[]; total: number }> {
  const where = fitting(filter)
  const rows = await db
    .select()
    .from(auditLog)
    .where(where)
    .orderBy(directionOf(sort)(auditLog.id))
    .limit(size)
    .offset((page - 1) * size)
  const [all] = await db.select({ total: count() }).from(auditLog).where(where)
  return { items: await shown(db, rows), total: all?.total ?? 0 }
}

/** The page after `last`, in the same order: a long list is read without counting from its beginning. */
export async function auditAfter({ db }: Ctx, filter: AuditQuery, last: number | null, limit: number) {
  const rest = last === null ? undefined : lt(auditLog.id, last)
  const rows = await db
    .select()
    .from(auditLog)
    .where(and(fitting(filter), rest))
    .orderBy(desc(auditLog.id))
    .limit(limit)
  return shown(db, rows)
}

export async function readAudit({ db }: Ctx, id: string): Promise<AuditEntry> {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const [entry] = await shown(db, await db.select().from(auditLog).where(eq(auditLog.id, number)))
  if (!entry) throw notFound('Такой записи в журнале нет')
  return entry
}

/** Who and what there is to choose from. */
export async function auditChoices({ db }: Ctx) {
  const actors = await db
    .selectDistinctOn([auditLog.actorId], { id: auditLog.actorId, email: auditLog.actorEmail })
    .from(auditLog)
    .orderBy(auditLog.actorId, desc(auditLog.id))
  const actions = await db.selectDistinct({ action: auditLog.action, kind: auditLog.kind }).from(auditLog)
  return {
    actors: actors.sort((a, b) => a.email.localeCompare(b.email)),
    kinds: [...new Set(actions.map(({ kind }) => kind))].sort(),
    actions: [...new Set(actions.map(({ action }) => action))].sort(),
  }
}

type Filter = Omit<AuditQuery, 'page' | 'size' | 'sort'>

function fitting({ query, actor, kind, action, target, from, to }: Filter): SQL | undefined {
  return and(
    actor ? eq(auditLog.actorId, actor) : undefined,
    kind ? eq(auditLog.kind, kind) : undefined,
    action ? eq(auditLog.action, action) : undefined,
    target ? eq(auditLog.target, target) : undefined,
    from ? gte(auditLog.at, startOfDay(from)) : undefined,
    to ? lt(auditLog.at, startOfDay(to, 1)) : undefined,
    query?.trim() ? mentions(query.trim()) : undefined,
  )
}

function mentions(words: string): SQL | undefined {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  const { actorEmail, target, note, ip, requestId } = auditLog
  return or(...[actorEmail, target, note, ip, requestId].map((column) => ilike(column, pattern)))
}

function directionOf(sort: string) {
  if (sort !== 'at' && sort !== '-at') {
    throw new AppError('bad_request', `Поле sort: по «${sort.replace(/^-/, '')}» не сортируется`, { field: 'sort' })
  }
  return sort === 'at' ? asc : desc
}

async function shown(db: Db, rows: AuditRow[]): Promise<AuditEntry[]> {
  const names = await targetNames(db, rows)
  return rows.map(({ prevHash: _, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    targetName: names.get(row.id) ?? null,
  }))
}
