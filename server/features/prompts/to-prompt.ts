import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { Prompt } from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { promptFavourites, prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { isAdmin, isFixed, noSuchPrompt, ownOrAnyIfAdmin, readable } from './access.ts'

const { search: _, ...promptColumns } = getTableColumns(prompts)

export { promptColumns }
export type PromptRow = Omit<typeof prompts.$inferSelect, 'search'>

export const selectPrompts = (db: Db, userId: string) =>
  db
    .select({ prompt: promptColumns, favourite: promptFavourites.promptId })
    .from(prompts)
    .leftJoin(promptFavourites, and(eq(promptFavourites.promptId, prompts.id), eq(promptFavourites.userId, userId)))

export function toPrompt(ctx: Ctx, prompt: PromptRow, favourite: boolean): Prompt {
  const own = prompt.userId === ctx.user.id
  const manages = own || isAdmin(ctx)
  return {
    ...prompt,
    own,
    canEdit: manages && !isFixed(ctx, prompt),
    favourite,
    inLibrary: true,
    shareId: manages ? prompt.shareId : null,
    deletedAt: prompt.deletedAt?.toISOString() ?? null,
    createdAt: prompt.createdAt.toISOString(),
    updatedAt: prompt.changedAt.toISOString(),
  }
}

export const toSelectedPrompt =
  (ctx: Ctx) =>
  ({ prompt, favourite }: { prompt: PromptRow; favourite: string | null }): Prompt =>
    toPrompt(ctx, prompt, favourite !== null)

/** `where` must include the right to read the prompt. */
export async function findPrompt(ctx: Ctx, where: SQL | undefined): Promise<Prompt> {
  const [row] = await selectPrompts(ctx.db, ctx.user.id).where(where)
  if (!row) throw noSuchPrompt()
  return toSelectedPrompt(ctx)(row)
}

/** For the response to a change. */
export const shownPrompt = (ctx: Ctx, id: string) => findPrompt(ctx, and(eq(prompts.id, id), ownOrAnyIfAdmin(ctx)))
export const readablePrompt = (ctx: Ctx, id: string) => findPrompt(ctx, readable(ctx, id))

export async function lockPrompt(db: Db, where: SQL | undefined): Promise<PromptRow> {
  const [row] = await db.select(promptColumns).from(prompts).where(where).for('update')
  if (!row) throw noSuchPrompt()
  return row
}
