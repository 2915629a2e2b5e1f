import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { beforeCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { type AuditContent, canonical } from './chain.ts'
import { changes, keepableText } from './fields.ts'

/** What an administrator did. Secrets and what did not change fall off by themselves. */
export interface AuditNote {
  /** Like `plan.change`. */
  action: string
  /** The noun it was done to. */
  kind: string
  /** Its id; null for something done to many or to none. */
  target: string | null
  before?: unknown
  after?: unknown
  note?: string
}

export type Actor = Pick<Ctx, 'db' | 'ip' | 'request'> & { user: Pick<Ctx['user'], 'id' | 'email'> }

/**
 * Writes the act down as a part of the caller's transaction: both happen or neither does. The row is appended as the
 * last thing before the commit, wherever this is called, so that administrators never wait for one another in a circle.
 */
export async function audit(ctx: Actor, { action, kind, target, before, after, note }: AuditNote): Promise<void> {
  const content: AuditContent = {
    at: new Date(),
    actorId: ctx.user.id,
    actorEmail: keepableText(ctx.user.email),
    action,
    kind,
    target: target === null ? null : keepableText(target),
    ...changes(before, after),
    note: note ? keepableText(note) : null,
    ip: ctx.ip || null,
    userAgent: ctx.request?.userAgent ? keepableText(ctx.request.userAgent) : null,
    requestId: ctx.request?.id ?? null,
  }
  await beforeCommit(ctx.db, (db) => append(db, content))
}

async function append(db: Db, content: AuditContent): Promise<void> {
  await db.execute(sql`select audit_append(${canonical(content)})`)
}
