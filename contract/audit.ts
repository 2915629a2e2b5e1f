import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { TableQuery, tableOf } from './paging.ts'

const Fields = z.nullable(z.record(z.string(), z.unknown()))

export const AuditEntry = z.object({
  /** A sequence without gaps. */
  id: z.int(),
  at: z.iso.datetime(),
  actorId: z.string(),
  actorEmail: z.string(),
  /** For example `plan.change`. */
  action: z.string(),
  kind: z.string(),
  target: z.nullable(z.string()),
  /** The current name of the target, or the last known one. */
  targetName: z.nullable(z.string()),
  /** Only the changed fields. */
  before: Fields,
  after: Fields,
  note: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const Name = z.optional(z.string().check(z.maxLength(200)))
export const AuditQuery = z.extend(TableQuery, {
  actor: Name,
  kind: Name,
  action: Name,
  target: Name,
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
})
export type AuditQuery = z.infer<typeof AuditQuery>
export const auditSorts = ['at'] as const

export const ChainState = z.object({
  count: z.int(),
  /** The hash of the last row; null for an empty log. A copy of it proves later that no earlier row was changed. */
  head: z.nullable(z.string()),
  broken: z.nullable(z.object({ id: z.int(), reason: z.enum(['gap', 'link', 'content']) })),
})
export type ChainState = z.infer<typeof ChainState>

export const auditApi = {
  list: endpoint('GET', '/api/audit', {
    who: 'admin',
    summary: 'Журнал действий администраторов, новые сверху',
    query: AuditQuery,
    returns: tableOf(AuditEntry),
  }),
  csv: endpoint('GET', '/api/audit/csv', {
    who: 'admin',
    summary: 'Записи журнала по отбору файлом CSV',
    proof: 'fresh',
    query: AuditQuery,
    answers: 'file',
  }),
  choices: endpoint('GET', '/api/audit/choices', {
    who: 'admin',
    summary: 'Кто и что есть в журнале: для отбора',
    returns: z.object({
      actors: z.array(z.object({ id: z.string(), email: z.string() })),
      kinds: z.array(z.string()),
      actions: z.array(z.string()),
    }),
  }),
  verify: endpoint('GET', '/api/audit/verify', {
    who: 'admin',
    summary: 'Проверить цепочку журнала: цела ли она и где порвана',
    returns: ChainState,
  }),
  get: endpoint('GET', '/api/audit/:id', {
    who: 'admin',
    summary: 'Запись журнала',
    returns: AuditEntry,
  }),
}
