import type { Ctx } from '#server/http/context.ts'
import { audit } from '../audit/audit.ts'
import { isAdmin } from './access.ts'
import type { PromptRow } from './to-prompt.ts'

type Reported = Pick<PromptRow, 'id' | 'userId' | 'title' | 'category' | 'published' | 'version' | 'deletedAt'>

/**
 * Writes down what an administrator does with prompts that are not only his own business: somebody else's, the library's,
 * and what everybody sees. The texts themselves are in the prompt's versions.
 */
export async function auditPrompt(
  ctx: Ctx,
  action: string,
  before: Reported | null,
  after: Reported | null,
): Promise<void> {
  const concerned = [before, after].flatMap((row) => row ?? [])
  if (!isAdmin(ctx) || concerned.every((row) => isPrivate(ctx, row))) return
  const target = concerned[0]?.id ?? null
  await audit(ctx, { action, kind: 'prompt', target, before: before && told(before), after: after && told(after) })
}

/** The same act on many: one row that names them. */
export async function auditPrompts(ctx: Ctx, action: string, rows: Reported[], category?: string): Promise<void> {
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

const isPrivate = ({ user }: Ctx, { userId, published }: Reported) => userId === user.id && !published

const told = ({ title, category, published, version, deletedAt }: Reported) => ({
  title,
  category,
  published,
  version,
  deleted: deletedAt !== null,
})
