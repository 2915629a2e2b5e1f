import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { MAX_SUGGESTIONS, type Prompt, type PromptCategory, type PromptFilter } from '#contract/prompts.ts'
import { promptFavourites, prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { visible } from './access.ts'
import { promptOrders, readOffset, writeOffset } from './order.ts'
import { literally, matchPrompts } from './search.ts'
import { selectPrompts, toSelectedPrompt } from './to-prompt.ts'

export async function listPrompts(ctx: Ctx, filter: PromptFilter): Promise<Page<Prompt[]>> {
  const scope = and(visible(ctx, filter.view), filter.category ? eq(prompts.category, filter.category) : undefined)
  return filter.query ? foundPage(ctx, scope, filter.query, filter) : sortedPage(ctx, scope, filter)
}

async function sortedPage(ctx: Ctx, scope: SQL | undefined, { sort, limit, cursor }: PromptFilter) {
  const { order, after, cursorOf } = promptOrders[sort]
  const rows = await selectPrompts(ctx.db, ctx.user.id)
    .where(and(scope, cursor === undefined ? undefined : after(cursor)))
    .orderBy(...order)
    .limit(limit + 1)
  const items = rows.slice(0, limit).map(toSelectedPrompt(ctx))
  const last = rows.length > limit ? items.at(-1) : undefined
  return new Page(items, last ? cursorOf(last) : null)
}

/** What fits best has no key to go on from: its pages are counted. */
async function foundPage(ctx: Ctx, scope: SQL | undefined, query: string, { limit, cursor }: PromptFilter) {
  const match = await matchPrompts(ctx.db, scope, query)
  const offset = readOffset(cursor)
  const rows = await selectPrompts(ctx.db, ctx.user.id)
    .where(and(scope, match.where))
    .orderBy(...match.order, desc(prompts.id))
    .limit(limit + 1)
    .offset(offset)
  const items = rows.slice(0, limit).map(toSelectedPrompt(ctx))
  return new Page(items, rows.length > limit ? writeOffset(offset + limit) : null)
}

export async function listCategories(ctx: Ctx, view: PromptFilter['view']): Promise<PromptCategory[]> {
  return ctx.db
    .select({ category: prompts.category, count: count() })
    .from(prompts)
    .where(visible(ctx, view))
    .groupBy(prompts.category)
    .orderBy(asc(prompts.category))
}

/** For the composer: what one likes and has written oneself, then what everybody uses. */
export async function suggestPrompts(ctx: Ctx, query: string): Promise<Prompt[]> {
  const scope = visible(ctx)
  const match = query === '' ? null : await matchPrompts(ctx.db, scope, query)
  const begins = sql`translate(lower(${prompts.title}), 'ё', 'е') like ${`${literally(query)}%`}`
  const rows = await selectPrompts(ctx.db, ctx.user.id)
    .where(and(scope, match?.where))
    .orderBy(
      desc(begins),
      sql`${promptFavourites.promptId} is null`,
      sql`${prompts.userId} is not distinct from ${ctx.user.id} desc`,
      ...(match?.order ?? [desc(prompts.uses)]),
      asc(prompts.category),
      asc(prompts.position),
      desc(prompts.id),
    )
    .limit(MAX_SUGGESTIONS)
  return rows.map(toSelectedPrompt(ctx))
}
