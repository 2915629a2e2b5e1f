import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

type Fields = Record<string, unknown>

/**
 * What administrators did. Written only by audit_append of server/db/functions/audit.sql, which numbers the rows without
 * gaps and chains them; a trigger keeps them as they are. It refers to nobody: rows outlive whom they speak of.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint({ mode: 'number' }).primaryKey(),
    at: moment().notNull(),
    actorId: text().notNull(),
    actorEmail: text().notNull(),
    /** What was done, like `plan.change`. */
    action: text().notNull(),
    /** The noun it was done to. */
    kind: text().notNull(),
    target: text(),
    /** Only what changed. */
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
