import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

type Fields = Record<string, unknown>

/**
 * What admins did. Written only by audit_append in server/db/functions/audit.sql, which numbers and chains the rows; a
 * trigger forbids changes. There are no foreign keys: rows outlive the users.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint({ mode: 'number' }).primaryKey(),
    at: moment().notNull(),
    actorId: text().notNull(),
    actorEmail: text().notNull(),
    /** For example `plan.change`. */
    action: text().notNull(),
    kind: text().notNull(),
    target: text(),
    /** Only changed fields. */
    before: jsonb().$type<Fields>(),
    after: jsonb().$type<Fields>(),
    note: text(),
    ip: text(),
    userAgent: text(),
    requestId: text(),
    prevHash: text().notNull(),
    hash: text().notNull().unique(),
  },
  (t) => [
    index().on(t.at),
    index().on(t.actorId, t.id),
    index().on(t.kind, t.target, t.id),
    index().on(t.action, t.id),
    index().on(t.target),
  ],
)
