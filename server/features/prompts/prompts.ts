import { and, eq, isNull } from 'drizzle-orm'
import { MAX_PROMPT_TITLE, type Prompt, type PromptChange, type PromptDraft } from '#contract/prompts.ts'
import { promptGuests, prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { isAdmin, isFixed, manageable, noSuchPrompt, onlyAdminPublishes, publishedIsFixed, readable } from './access.ts'
import { checkPromptLimit } from './limit.ts'
import { auditPrompt } from './prompt-actions.ts'
import { findPrompt, lockPrompt, type PromptRow, readablePrompt, shownPrompt, toPrompt } from './to-prompt.ts'
import { changedLabel, rewrite } from './versions.ts'

/** A link's `share` shows the prompt and no more: somebody else's text gets into a library by a click. */
export async function readPrompt(ctx: Ctx, id: string, share?: string): Promise<Prompt> {
  if (!share || (await ctx.db.$count(prompts, readable(ctx, id))) > 0) return readablePrompt(ctx, id)
  return { ...(await findPrompt(ctx, sharedBy(id, share))), inLibrary: false }
}

const sharedBy = (id: string, share: string) =>
  and(eq(prompts.id, id), eq(prompts.shareId, share), isNull(prompts.deletedAt))

/** Makes the bearer of a link a guest of the prompt, for as long as the link works. */
export async function keepPrompt(ctx: Ctx, id: string, share: string): Promise<Prompt> {
  const { own } = await findPrompt(ctx, sharedBy(id, share))
  if (!own) await welcome(ctx, id, share)
  return readablePrompt(ctx, id)
}

async function welcome({ db, user }: Ctx, id: string, share: string): Promise<void> {
  await db
    .insert(promptGuests)
    .values({ userId: user.id, promptId: id, shareId: share })
    .onConflictDoUpdate({
      target: [promptGuests.userId, promptGuests.promptId],
      set: { shareId: share, at: new Date() },
    })
}

export async function createPrompt(ctx: Ctx, most: number, draft: PromptDraft): Promise<Prompt> {
  if (draft.published && !isAdmin(ctx)) throw onlyAdminPublishes()
  return insertOwn(ctx, most, draft)
}

/** Whoever may read a prompt may have it as one's own. */
export async function duplicatePrompt(ctx: Ctx, most: number, id: string): Promise<Prompt> {
  const { own, title, description, content, category } = await readablePrompt(ctx, id)
  return insertOwn(ctx, most, { title: own ? copyOf(title) : title, description, content, category, published: false })
}

const COPY = ' (копия)'
const copyOf = (title: string) => title.slice(0, MAX_PROMPT_TITLE - COPY.length) + COPY

async function insertOwn(ctx: Ctx, most: number, draft: PromptDraft): Promise<Prompt> {
  const { user } = ctx
  return ctx.db.transaction(async (tx) => {
    await checkPromptLimit(tx, user.id, 1, most)
    const [row] = await tx
      .insert(prompts)
      .values({ ...draft, id: newId(), userId: user.id, changedBy: user.id })
      .returning()
    if (!row) throw new Error('No prompt was made')
    await auditPrompt(ctx, 'prompt.create', null, row)
    return toPrompt(ctx, row, false)
  })
}

export async function changePrompt(ctx: Ctx, id: string, change: PromptChange): Promise<Prompt> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockPrompt(tx, manageable(ctx, id))
    checkChange(ctx, row, change)
    const words = changedLabel(row, change)
    if (words) await rewrite(tx, ctx.user.id, [{ id, ...words }])
    const published = change.published ?? row.published
    const deletedAt = change.deleted === false ? null : row.deletedAt
    if (published !== row.published || deletedAt !== row.deletedAt) {
      await tx.update(prompts).set({ published, deletedAt }).where(eq(prompts.id, id))
    }
    await auditPrompt(ctx, 'prompt.change', row, await lockPrompt(tx, eq(prompts.id, id)))
  })
  return shownPrompt(ctx, id)
}

function checkChange(ctx: Ctx, row: PromptRow, { version, deleted, published, ...words }: PromptChange): void {
  if (row.deletedAt && deleted !== false) throw noSuchPrompt()
  if (version !== undefined && version !== row.version) {
    throw new AppError('conflict', 'Промпт успели изменить. Обновите страницу и внесите правку ещё раз.')
  }
  if (published && !row.published && !isAdmin(ctx)) throw onlyAdminPublishes()
  if (published !== false && isFixed(ctx, row) && changedLabel(row, words)) throw publishedIsFixed()
}

/** To the trash, from where it can be taken back for a while. */
export async function deletePrompt(ctx: Ctx, id: string): Promise<Prompt> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(prompts)
      .set({ deletedAt: new Date() })
      .where(and(manageable(ctx, id), isNull(prompts.deletedAt)))
      .returning()
    if (!row) throw noSuchPrompt()
    await auditPrompt(ctx, 'prompt.delete', { ...row, deletedAt: null }, null)
  })
  return shownPrompt(ctx, id)
}
