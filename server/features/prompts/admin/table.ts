import { and, asc, count, desc, eq, isNotNull, isNull, not, type SQL } from 'drizzle-orm'
import type { AdminPrompt, PromptTableQuery } from '#contract/prompts-admin.ts'
import { promptFavourites, prompts, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { ownOrAnyIfAdmin } from '../access.ts'
import { inOrder } from '../order.ts'
import { matchPrompts } from '../search.ts'
import { promptColumns, toPrompt } from '../to-prompt.ts'

type Filter = Pick<PromptTableQuery, 'state' | 'category' | 'query'>

export async function listForAdmin(
  ctx: Ctx,
  query: PromptTableQuery,
): Promise<{ items: AdminPrompt[]; total: number }> {
  const { page, size, sort = 'order' } = query
  const order = ordered(sort)
  const where = await adminFilter(ctx, query)
  const rows = await ctx.db
    .select({ prompt: promptColumns, favourite: promptFavourites.promptId, owner: users.name, email: users.email })
    .from(prompts)
    .leftJoin(users, eq(users.id, prompts.userId))
    .leftJoin(
      promptFavourites,
      and(eq(promptFavourites.promptId, prompts.id), eq(promptFavourites.userId, ctx.user.id)),
    )
    .where(where)
    .orderBy(...order)
    .limit(size)
    .offset((page - 1) * size)
  const [all] = await ctx.db.select({ total: count() }).from(prompts).where(where)
  const items = rows.map(({ prompt, favourite, owner, email }) => ({
    ...toPrompt(ctx, prompt, favourite !== null),
    owner: owner || email,
  }))
  return { items, total: all?.total ?? 0 }
}

/** What fits the filters of the table. */
export async function adminFilter(ctx: Ctx, { state, category, query }: Filter): Promise<SQL | undefined> {
  const scope = and(ownOrAnyIfAdmin(ctx), states[state], category ? eq(prompts.category, category) : undefined)
  const words = query?.trim()
  return words ? and(scope, (await matchPrompts(ctx.db, scope, words)).where) : scope
}

const isOpen = isNull(prompts.deletedAt)
const states: Record<Filter['state'], SQL | undefined> = {
  all: isOpen,
  published: and(isOpen, eq(prompts.published, true)),
  private: and(isOpen, not(prompts.published)),
  trash: isNotNull(prompts.deletedAt),
}

const sortable = {
  title: prompts.title,
  category: prompts.category,
  published: prompts.published,
  uses: prompts.uses,
  updatedAt: prompts.changedAt,
}

function ordered(sort: string): SQL[] {
  if (sort === 'order') return inOrder
  const name = sort.replace(/^-/, '')
  const column = Object.entries(sortable).find(([key]) => key === name)?.[1]
  if (!column) throw new AppError('bad_request', `Поле sort: по «${name}» не сортируется`, { field: 'sort' })
  const direction = sort.startsWith('-') ? desc : asc
  return [direction(column), direction(prompts.id)]
}
