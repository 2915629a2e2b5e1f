import { createHash } from 'node:crypto'
import type { auditLog } from '#server/db/schema.ts'

export type AuditRow = typeof auditLog.$inferSelect
/** What a hash covers besides the number of the row and the hash before it. */
export type AuditContent = Omit<AuditRow, 'id' | 'hash' | 'prevHash'>

/** What stands before the first row. */
export const GENESIS = '0'.repeat(64)

/** The row as text, always the same for the same row: keys in order, dates as text. */
export function canonical({ at, actorId, actorEmail, action, kind, target, ...rest }: AuditContent): string {
  const { before, after, note, ip, userAgent, requestId } = rest
  return ordered({ at, actorId, actorEmail, action, kind, target, before, after, note, ip, userAgent, requestId })
}

/** The same as audit_append makes it. */
export function hashOf(prevHash: string, id: number, content: string): string {
  return createHash('sha256').update(`${prevHash}:${id}:${content}`).digest('hex')
}

export function ordered(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
