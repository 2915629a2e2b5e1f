import { and, desc, eq, gte, ilike, inArray, lt, or, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AuditEntry, AuditQuery } from '#contract/audit.ts'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { auditLog, bundles, models, orders, plans, promoCodes, prompts, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse } from '#server/lib/csv.ts'
import { notFound } from '#server/lib/errors.ts'
import { dayOf, startOfDay, timeCell } from '../billing/days.ts'
import type { AuditRow } from './audit.ts'

export async function listAudit(
  { db }: Ctx,
  { page, size, sort = '-at', ...filter }: AuditQuery,
): Promise<{ items: AuditEntry[]; total: number }> {
  const where = matchAudit(filter)
  const rows = await db
    .select()
    .from(auditLog)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, auditLog.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await toEntries(db, rows), total: await db.$count(auditLog, where) }
}

export async function readAudit({ db }: Ctx, id: string): Promise<AuditEntry> {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const [entry] = await toEntries(db, await db.select().from(auditLog).where(eq(auditLog.id, number)))
  if (!entry) throw notFound('Такой записи в журнале нет')
  return entry
}

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

function matchAudit({ query, actor, kind, action, target, from, to }: Filter): SQL | undefined {
  return and(
    actor ? eq(auditLog.actorId, actor) : undefined,
    kind ? eq(auditLog.kind, kind) : undefined,
    action ? eq(auditLog.action, action) : undefined,
    target ? eq(auditLog.target, target) : undefined,
    from ? gte(auditLog.at, startOfDay(from)) : undefined,
    to ? lt(auditLog.at, startOfDay(to, 1)) : undefined,
    query?.trim() ? matchesText(query.trim()) : undefined,
  )
}

function matchesText(words: string): SQL | undefined {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  const { actorEmail, target, note, ip, requestId } = auditLog
  return or(...[actorEmail, target, note, ip, requestId].map((column) => ilike(column, pattern)))
}

/** Ids grow with time, and the id has an index. */
const sortable = { at: auditLog.id }

async function toEntries(db: Db, rows: AuditRow[]): Promise<AuditEntry[]> {
  const names = await targetNames(db, rows)
  return rows.map(({ prevHash: _, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    targetName: names.get(row.id) ?? null,
  }))
}

type NamedTable = [table: PgTable, id: PgColumn, name: PgColumn]
const tables: Record<string, NamedTable> = {
  user: [users, users.id, users.email],
  plan: [plans, plans.id, plans.name],
  bundle: [bundles, bundles.id, bundles.name],
  model: [models, models.id, models.name],
  promo: [promoCodes, promoCodes.id, promoCodes.hint],
  prompt: [prompts, prompts.id, prompts.title],
  order: [orders, orders.id, orders.title],
}

/** Names of the targets by row id: the current one, or for a deleted target the one stored in the row. */
async function targetNames(db: Db, rows: AuditRow[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const ofKind = rows.filter((row) => row.kind === kind)
    const known = await currentNames(db, kind, ofKind)
    for (const row of ofKind) {
      const name = (row.target && known.get(row.target)) ?? storedName(row)
      if (name) names.set(row.id, kind === 'promo' && !name.startsWith('…') ? `…${name}` : name)
    }
  }
  return names
}

async function currentNames(db: Db, kind: string, rows: AuditRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ target }) => target ?? []))]
  const columns = tables[kind]
  if (!columns || ids.length === 0) return new Map()
  const [table, id, name] = columns
  const found = await db.select({ id, name }).from(table).where(inArray(id, ids))
  return new Map(found.map((row) => [String(row.id), String(row.name)]))
}

function storedName({ before, after }: AuditRow): string | null {
  for (const fields of [after, before]) {
    for (const field of ['email', 'name', 'title', 'hint', 'user']) {
      const value = fields?.[field]
      if (typeof value === 'string' && value) return value
    }
  }
  return null
}

const csvColumns: CsvColumns<AuditEntry> = {
  Номер: (row) => row.id,
  'Дата и время (UTC+3)': (row) => timeCell(row.at),
  Кто: (row) => row.actorEmail,
  'Что сделано': (row) => actionLabel(row.action),
  Действие: (row) => row.action,
  'С чем': (row) => kindLabel(row.kind),
  Название: (row) => row.targetName,
  Идентификатор: (row) => row.target,
  Было: (row) => row.before && JSON.stringify(row.before),
  Стало: (row) => row.after && JSON.stringify(row.after),
  Причина: (row) => row.note,
  Адрес: (row) => row.ip,
  Браузер: (row) => row.userAgent,
  Запрос: (row) => row.requestId,
  Хеш: (row) => row.hash,
}

/** All rows that match the filter, newest first. */
export function auditCsv({ db }: Ctx, filter: AuditQuery): Promise<Response> {
  return csvResponse<AuditEntry>(`audit-${dayOf(new Date())}`, csvColumns, async (last) => {
    const rows = db
      .select()
      .from(auditLog)
      .where(and(matchAudit(filter), last && lt(auditLog.id, last.id)))
      .orderBy(desc(auditLog.id))
      .limit(CSV_PAGE)
    return toEntries(db, await rows)
  })
}
