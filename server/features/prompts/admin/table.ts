import { and, count, eq, isNotNull, isNull, not, type SQL } from 'drizzle-orm'
import type { AdminPrompt, PromptTableQuery } from '#contract/prompts-admin.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import { promptFavourites, prompts, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { ownOrAnyIfAdmin } from '../access.ts'
import { promptsInOrder } from '../listing.ts'
import { matchPrompts } from '../search.ts'
import { promptColumns, toPrompt } from '../to-prompt.ts'

type Filter = Pick<PromptTableQuery, 'state' | 'category' | 'query'>

export async function listForAdmin(
  ctx: Ctx,
  query: PromptTableQuery,
): Promise<{ items: AdminPrompt[]; total: number }> {
  const { page, size, sort = 'order' } = query
  const order = sort === 'order' ? promptsInOrder : orderByClause(sort, sortable, prompts.id)
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
