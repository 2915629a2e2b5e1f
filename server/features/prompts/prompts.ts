import { randomBytes } from 'node:crypto'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import {
  MAX_PROMPT_TITLE,
  PROMPT_TRASH_DAYS,
  type Prompt,
  type PromptChange,
  type PromptDraft,
} from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { lockUser } from '#server/db/lock-user.ts'
import { promptFavourites, promptGuests, prompts, promptUses } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { noteRejection } from '#server/http/limits.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import {
  auditPrompt,
  findPrompt,
  isAdmin,
  isFixed,
  isManageable,
  isReadable,
  lockPrompt,
  noSuchPrompt,
  onlyAdminPublishesError,
  type PromptRow,
  publishedIsFixedError,
  readablePrompt,
  readChangedPrompt,
  toPrompt,
} from './access.ts'
import { changedTexts, writeTexts } from './versions.ts'

/** A share link only shows the prompt. It is added to the library by `addSharedPrompt`. */
export async function readPrompt(ctx: Ctx, id: string, share?: string): Promise<Prompt> {
  if (!share || (await ctx.db.$count(prompts, isReadable(ctx, id))) > 0) return readablePrompt(ctx, id)
  return { ...(await findPrompt(ctx, sharedBy(id, share))), inLibrary: false }
}

const sharedBy = (id: string, share: string) =>
  and(eq(prompts.id, id), eq(prompts.shareId, share), isNull(prompts.deletedAt))

/** Adds a shared prompt to the library of the user for as long as the link is valid. */
export async function addSharedPrompt(ctx: Ctx, id: string, share: string): Promise<Prompt> {
  const { own } = await findPrompt(ctx, sharedBy(id, share))
  if (!own) await addGuest(ctx, id, share)
  return readablePrompt(ctx, id)
}

async function addGuest({ db, user }: Ctx, id: string, share: string): Promise<void> {
  await db
    .insert(promptGuests)
    .values({ userId: user.id, promptId: id, shareId: share })
    .onConflictDoUpdate({
      target: [promptGuests.userId, promptGuests.promptId],
      set: { shareId: share, at: new Date() },
    })
}

export async function createPrompt(ctx: Ctx, most: number, draft: PromptDraft): Promise<Prompt> {
  if (draft.published && !isAdmin(ctx)) throw onlyAdminPublishesError()
  return insertOwn(ctx, most, draft)
}

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
    const row = await lockPrompt(tx, isManageable(ctx, id))
    checkChange(ctx, row, change)
    const texts = changedTexts(row, change)
    if (texts) await writeTexts(tx, ctx.user.id, [{ id, ...texts }])
    const published = change.published ?? row.published
    const deletedAt = change.deleted === false ? null : row.deletedAt
    if (published !== row.published || deletedAt !== row.deletedAt) {
      await tx.update(prompts).set({ published, deletedAt }).where(eq(prompts.id, id))
    }
    await auditPrompt(ctx, 'prompt.change', row, await lockPrompt(tx, eq(prompts.id, id)))
  })
  return readChangedPrompt(ctx, id)
}

function checkChange(ctx: Ctx, row: PromptRow, { version, deleted, published, ...texts }: PromptChange): void {
  if (row.deletedAt && deleted !== false) throw noSuchPrompt()
  if (version !== undefined && version !== row.version) {
    throw new AppError('conflict', 'Промпт успели изменить. Обновите страницу и внесите правку ещё раз.')
  }
  if (published && !row.published && !isAdmin(ctx)) throw onlyAdminPublishesError()
  if (published !== false && isFixed(ctx, row) && changedTexts(row, texts)) throw publishedIsFixedError()
}

/** Moves the prompt to the trash. */
export async function deletePrompt(ctx: Ctx, id: string): Promise<Prompt> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(prompts)
      .set({ deletedAt: new Date() })
      .where(and(isManageable(ctx, id), isNull(prompts.deletedAt)))
      .returning()
    if (!row) throw noSuchPrompt()
    await auditPrompt(ctx, 'prompt.delete', { ...row, deletedAt: null }, null)
  })
  return readChangedPrompt(ctx, id)
}

/** Lets every signed-in user with the link read the prompt. A repeated call returns the same link. */
export async function sharePrompt(ctx: Ctx, id: string): Promise<Prompt> {
  const shareId = randomBytes(18).toString('base64url')
  await setShare(ctx, id, { shareId: sql`coalesce(${prompts.shareId}, ${shareId})` })
  return readChangedPrompt(ctx, id)
}

/** Users who came by the old link lose access; the next link is a new one. */
export async function unsharePrompt(ctx: Ctx, id: string): Promise<Prompt> {
  await setShare(ctx, id, { shareId: null })
  return readChangedPrompt(ctx, id)
}

async function setShare(ctx: Ctx, id: string, change: { shareId: ReturnType<typeof sql> | null }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(prompts)
      .set(change)
      .where(and(isManageable(ctx, id), isNull(prompts.deletedAt)))
      .returning()
    if (!row) throw noSuchPrompt()
    await auditPrompt(ctx, change.shareId ? 'prompt.share' : 'prompt.unshare', row, row)
  })
}

export async function markFavourite(ctx: Ctx, id: string, favourite: boolean): Promise<Prompt> {
  const prompt = await readablePrompt(ctx, id)
  const { db, user } = ctx
  if (favourite) await db.insert(promptFavourites).values({ userId: user.id, promptId: id }).onConflictDoNothing()
  else
    await db
      .delete(promptFavourites)
      .where(and(eq(promptFavourites.userId, user.id), eq(promptFavourites.promptId, id)))
  return { ...prompt, favourite }
}

/** `useId` comes from the client, so that a repeated request counts once. */
export async function countUse(ctx: Ctx, id: string, useId: string): Promise<Prompt> {
  await readablePrompt(ctx, id)
  await ctx.db.transaction(async (tx) => {
    const counted = await tx
      .insert(promptUses)
      .values({ userId: ctx.user.id, id: useId, promptId: id })
      .onConflictDoNothing()
      .returning({ id: promptUses.id })
    if (counted.length > 0) {
      await tx
        .update(prompts)
        .set({ uses: sql`${prompts.uses} + 1` })
        .where(eq(prompts.id, id))
    }
  })
  return readablePrompt(ctx, id)
}

/** Throws when `adding` more prompts do not fit. The trash may hold as many again. */
export async function checkPromptLimit(tx: Db, userId: string, adding: number, most: number): Promise<void> {
  if (adding === 0) return
  await lockUser(tx, userId)
  const own = eq(prompts.userId, userId)
  const fits =
    (await tx.$count(prompts, and(own, isNull(prompts.deletedAt)))) + adding <= most &&
    (await tx.$count(prompts, own)) + adding <= 2 * most
  if (fits) return
  noteRejection('stored-prompts')
  throw new AppError('conflict', `Своих промптов может быть не больше ${most}. Удалите те, что больше не нужны.`)
}

const DAY_MS = 86_400_000

export const promptJobs = (db: Db): Job[] => [
  { name: 'empty-prompt-trash', cron: '41 3 * * *', run: () => emptyTrash(longRunning(db)), limitSeconds: 600 },
]

export async function emptyTrash(db: Db, now = Date.now()): Promise<void> {
  await db.delete(prompts).where(lt(prompts.deletedAt, new Date(now - PROMPT_TRASH_DAYS * DAY_MS)))
}
