import type { Ctx } from '#server/http/context.ts'
import { audit } from '../audit/audit.ts'
import { isAdmin } from './access.ts'
import type { PromptRow } from './prompt-shape.ts'

type Told = Pick<PromptRow, 'id' | 'userId' | 'title' | 'category' | 'published' | 'version' | 'deletedAt'>

/**
 * Writes down what an administrator does with prompts that are not only his own business: somebody else's, the library's,
 * and what everybody sees. The texts themselves are in the prompt's versions.
 */
export async function auditPrompt(ctx: Ctx, act: string, before: Told | null, after: Told | null): Promise<void> {
  const concerned = [before, after].flatMap((row) => row ?? [])
  if (!isAdmin(ctx) || concerned.every((row) => isPrivate(ctx, row))) return
  const target = concerned[0]?.id ?? null
  await audit(ctx, { act, kind: 'prompt', target, before: before && told(before), after: after && told(after) })
}

/** The same act on many: one row that names them. */
export async function auditPrompts(ctx: Ctx, act: string, rows: Told[], category?: string): Promise<void> {
  const concerned = rows.filter((row) => !isPrivate(ctx, row) || act === 'prompt.publish')
  if (!isAdmin(ctx) || concerned.length === 0) return
  const titles = concerned.map(({ title }) => title)
  const target = concerned.length === 1 ? (concerned[0]?.id ?? null) : null
  await audit(ctx, { act, kind: 'prompt', target, after: { titles, ...(category === undefined ? {} : { category }) } })
}

const isPrivate = ({ user }: Ctx, { userId, published }: Told) => userId === user.id && !published

const told = ({ title, category, published, version, deletedAt }: Told) => ({
  title,
  category,
  published,
  version,
  deleted: deletedAt !== null,
})
