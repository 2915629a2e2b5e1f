import { and, eq, exists, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Prompt, PromptFilter } from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { promptFavourites, promptGuests, prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'

export const noSuchPrompt = () => notFound('Такого промпта нет')
export const onlyAdminPublishesError = () =>
  new AppError('forbidden', 'Публиковать промпты может только администратор.')
export const publishedIsFixedError = () =>
  new AppError(
    'forbidden',
    'Промпт опубликован для всех, и его текст меняет администратор. Снимите его с публикации или сделайте копию.',
  )

export const isAdmin = ({ user, session }: Ctx) => user.role === 'admin' && !session.impersonatedBy

const own = ({ user }: Ctx) => eq(prompts.userId, user.id)
const isOpen = isNull(prompts.deletedAt)

export function isVisible(ctx: Ctx, view: PromptFilter['view'] = 'all'): SQL | undefined {
  const all = or(own(ctx), prompts.published, isGuest(ctx))
  if (view === 'own') return and(isOpen, own(ctx))
  if (view === 'published') return and(isOpen, prompts.published)
  if (view === 'shared') return and(isOpen, isGuest(ctx))
  return and(isOpen, all, view === 'favourites' ? isFavourite(ctx) : undefined)
}

/** A prompt that the library shows to the user; for an admin any that is not in the trash. */
export const isReadable = (ctx: Ctx, id: string) => and(eq(prompts.id, id), isAdmin(ctx) ? isOpen : isVisible(ctx))

/** The prompts that a user manages, with the trash; undefined means all, for an admin. */
export const ownOrAnyIfAdmin = (ctx: Ctx) => (isAdmin(ctx) ? undefined : own(ctx))

/** A prompt that the user may change or delete, also in the trash. */
export const isManageable = (ctx: Ctx, id: string) => and(eq(prompts.id, id), ownOrAnyIfAdmin(ctx))

/** Only an admin may change the text of a published prompt. */
export const isFixed = (ctx: Ctx, prompt: { published: boolean }) => prompt.published && !isAdmin(ctx)

/** The user has added the prompt by a link that is still valid. */
function isGuest({ db, user }: Ctx): SQL {
  const visits = db
    .select({ one: sql`1` })
    .from(promptGuests)
    .where(
      and(
        eq(promptGuests.promptId, prompts.id),
        eq(promptGuests.userId, user.id),
        eq(promptGuests.shareId, prompts.shareId),
      ),
    )
  return exists(visits)
}

function isFavourite({ db, user }: Ctx): SQL {
  const marks = db
    .select({ one: sql`1` })
    .from(promptFavourites)
    .where(and(eq(promptFavourites.promptId, prompts.id), eq(promptFavourites.userId, user.id)))
  return exists(marks)
}

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

export const readChangedPrompt = (ctx: Ctx, id: string) =>
  findPrompt(ctx, and(eq(prompts.id, id), ownOrAnyIfAdmin(ctx)))
export const readablePrompt = (ctx: Ctx, id: string) => findPrompt(ctx, isReadable(ctx, id))

export async function lockPrompt(db: Db, where: SQL | undefined): Promise<PromptRow> {
  const [row] = await db.select(promptColumns).from(prompts).where(where).for('update')
  if (!row) throw noSuchPrompt()
  return row
}

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
  const titles = concerned.map((row) => (action === 'prompt.publish' ? row.title : auditedTitle(row)))
  const target = concerned.length === 1 ? (concerned[0]?.id ?? null) : null
  await audit(ctx, {
    action,
    kind: 'prompt',
    target,
    after: { titles, ...(category === undefined ? {} : { category }) },
  })
}

const isPrivate = ({ user }: Ctx, { userId, published }: AuditedPrompt) => userId === user.id && !published

/** The title of a prompt that nobody else sees stays with its author: the log outlives the prompt. */
const auditedTitle = ({ title, published }: AuditedPrompt) => (published ? title : null)

const toAudited = (row: AuditedPrompt) => ({
  title: auditedTitle(row),
  category: row.category,
  published: row.published,
  version: row.version,
  deleted: row.deletedAt !== null,
})
