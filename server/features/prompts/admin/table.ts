import { and, asc, desc, eq, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import type { Prompt } from '#contract/prompts.ts'
import type { AdminPrompt, BulkAction, BulkResult, PromptTableQuery } from '#contract/prompts-admin.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import { promptFavourites, prompts, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import {
  auditPrompt,
  auditPrompts,
  isAdmin,
  isFixed,
  isManageable,
  lockPrompt,
  noSuchPrompt,
  onlyAdminPublishesError,
  ownOrAnyIfAdmin,
  type PromptRow,
  promptColumns,
  publishedIsFixedError,
  readChangedPrompt,
  toPrompt,
} from '../access.ts'
import { matchPrompts, promptsInOrder } from '../listing.ts'
import { writeTexts } from '../versions.ts'

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
  const items = rows.map(({ prompt, favourite, owner, email }) => ({
    ...toPrompt(ctx, prompt, favourite !== null),
    owner: owner || email,
  }))
  return { items, total: await ctx.db.$count(prompts, where) }
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

/** Prompts that already have the state are skipped. */
export async function applyToMany(ctx: Ctx, action: BulkAction): Promise<BulkResult> {
  if (action.action === 'publish' && !isAdmin(ctx)) throw onlyAdminPublishesError()
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select(promptColumns)
      .from(prompts)
      .where(
        and(
          inArray(prompts.id, action.ids),
          ownOrAnyIfAdmin(ctx),
          action.action === 'restore' ? isNotNull(prompts.deletedAt) : isOpen,
        ),
      )
      .for('update')
    if (rows.length === 0) throw noSuchPrompt()
    const changed = rows.filter(needsChange(action))
    if (action.action === 'categorise') {
      if (changed.some((row) => isFixed(ctx, row))) throw publishedIsFixedError()
      await writeTexts(
        tx,
        ctx.user.id,
        changed.map((row) => ({ ...textsOf(row), category: action.category })),
      )
    } else if (changed.length > 0) {
      const ids = changed.map(({ id }) => id)
      await tx.update(prompts).set(settings[action.action]()).where(inArray(prompts.id, ids))
    }
    await auditPrompts(
      ctx,
      `prompt.${action.action}`,
      changed,
      action.action === 'categorise' ? action.category : undefined,
    )
    return { changed: changed.map(({ id, category }) => ({ id, category })) }
  })
}

const settings = {
  publish: () => ({ published: true }),
  unpublish: () => ({ published: false }),
  delete: () => ({ deletedAt: new Date() }),
  restore: () => ({ deletedAt: null }),
}

const needsChange = (action: BulkAction) => (row: PromptRow) => {
  if (action.action === 'publish') return !row.published
  if (action.action === 'unpublish') return row.published
  return action.action !== 'categorise' || row.category !== action.category
}

const textsOf = ({ id, title, description, content, category }: PromptRow) => ({
  id,
  title,
  description,
  content,
  category,
})

interface Target {
  anchorId: string
  side: 'before' | 'after'
}

/** Moves a prompt before or after another of its category. Only an admin moves published prompts. */
export async function movePrompt(ctx: Ctx, id: string, { anchorId, side }: Target): Promise<Prompt> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockPrompt(tx, isManageable(ctx, id))
    if (row.deletedAt) throw noSuchPrompt()
    if (isFixed(ctx, row)) throw publishedIsFixedError()
    const neighbours = await tx
      .select({ id: prompts.id })
      .from(prompts)
      .where(
        and(
          ownOrAnyIfAdmin(ctx),
          isNull(prompts.deletedAt),
          eq(prompts.category, row.category),
          isAdmin(ctx) ? undefined : not(prompts.published),
        ),
      )
      .orderBy(asc(prompts.position), desc(prompts.id))
      .for('update')
    const ids = neighbours.map((neighbour) => neighbour.id)
    if (id === anchorId || !ids.includes(anchorId)) {
      throw new AppError('bad_request', 'Рядом с этим промптом поставить нельзя: нужен другой той же категории.', {
        field: 'anchorId',
      })
    }
    await tx.execute(sql`
      update ${prompts} set position = placed.side
      from jsonb_array_elements_text(${JSON.stringify(reordered(ids, id, anchorId, side))}::text::jsonb)
        with ordinality as placed(id, side)
      where prompts.id = placed.id`)
    await auditPrompt(ctx, 'prompt.move', row, row)
  })
  return readChangedPrompt(ctx, id)
}

function reordered(ids: string[], id: string, anchorId: string, side: Target['side']): string[] {
  const others = ids.filter((other) => other !== id)
  const at = others.indexOf(anchorId) + (side === 'after' ? 1 : 0)
  return others.toSpliced(at, 0, id)
}
