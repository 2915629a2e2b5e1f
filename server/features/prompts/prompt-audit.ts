import type { Ctx } from '#server/http/context.ts'
import { audit } from '../audit/audit.ts'
import { isAdmin } from './access.ts'
import type { PromptRow } from './to-prompt.ts'

type AuditedPrompt = Pick<PromptRow, 'id' | 'userId' | 'title' | 'category' | 'published' | 'version' | 'deletedAt'>

/**
 * Records an admin's action in the audit log, unless the prompt is the admin's own and unpublished. Texts are not
 * recorded: they are in the versions of the prompt.
 */
export async function auditPrompt(
  ctx: Ctx,
  action: string,
  before: AuditedPrompt | null,
  after: AuditedPrompt | null,
): Promise<void> {
  const concerned = [before, after].flatMap((row) => row ?? [])
  if (!isAdmin(ctx) || concerned.every((row) => isPrivate(ctx, row))) return
  const target = concerned[0]?.id ?? null
  await audit(ctx, {
    action,
    kind: 'prompt',
    target,
    before: before && toAudited(before),
    after: after && toAudited(after),
  })
}

/** Records an action on many prompts as one row. */
export async function auditPrompts(ctx: Ctx, action: string, rows: AuditedPrompt[], category?: string): Promise<void> {
  const concerned = rows.filter((row) => !isPrivate(ctx, row) || action === 'prompt.publish')
  if (!isAdmin(ctx) || concerned.length === 0) return
  const titles = concerned.map(({ title }) => title)
  const target = concerned.length === 1 ? (concerned[0]?.id ?? null) : null
  await audit(ctx, {
    action,
    kind: 'prompt',
    target,
    after: { titles, ...(category === undefined ? {} : { category }) },
  })
}

const isPrivate = ({ user }: Ctx, { userId, published }: AuditedPrompt) => userId === user.id && !published

const toAudited = ({ title, category, published, version, deletedAt }: AuditedPrompt) => ({
  title,
  category,
  published,
  version,
  deleted: deletedAt !== null,
})
