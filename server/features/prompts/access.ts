import { and, eq, exists, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PromptFilter } from '#contract/prompts.ts'
import { promptFavourites, promptGuests, prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'

/** Who may see and change which prompts. */

export const noSuchPrompt = () => notFound('Такого промпта нет')
export const onlyAdminPublishes = () => new AppError('forbidden', 'Публиковать промпты может только администратор.')
export const publishedIsFixed = () =>
  new AppError(
    'forbidden',
    'Промпт опубликован для всех, и его текст меняет администратор. Снимите его с публикации или сделайте копию.',
  )

/** Not somebody's eyes that an administrator looks through. */
export const isAdmin = ({ user, session }: Ctx) => user.role === 'admin' && !session.impersonatedBy

const own = ({ user }: Ctx) => eq(prompts.userId, user.id)
const isOpen = isNull(prompts.deletedAt)

/** What the library shows a person. */
export function visible(ctx: Ctx, view: PromptFilter['view'] = 'all'): SQL | undefined {
  const all = or(own(ctx), prompts.published, guest(ctx))
  if (view === 'own') return and(isOpen, own(ctx))
  if (view === 'published') return and(isOpen, prompts.published)
  if (view === 'shared') return and(isOpen, guest(ctx))
  return and(isOpen, all, view === 'favourites' ? favoured(ctx) : undefined)
}

/** One that may be read: whatever the library shows, and to an administrator any. */
export const readable = (ctx: Ctx, id: string) => and(eq(prompts.id, id), isAdmin(ctx) ? isOpen : visible(ctx))

/** What lies on the desk of a person, the trash included. */
export const ownOrAnyIfAdmin = (ctx: Ctx) => (isAdmin(ctx) ? undefined : own(ctx))

/** One that may be changed or thrown away, wherever it lies. */
export const manageable = (ctx: Ctx, id: string) => and(eq(prompts.id, id), ownOrAnyIfAdmin(ctx))

/** The text of what everybody sees is the administrators'. */
export const isFixed = (ctx: Ctx, prompt: { published: boolean }) => prompt.published && !isAdmin(ctx)

/** Came by a link that is still the prompt's. */
function guest({ db, user }: Ctx): SQL {
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

function favoured({ db, user }: Ctx): SQL {
  const marks = db
    .select({ one: sql`1` })
    .from(promptFavourites)
    .where(and(eq(promptFavourites.promptId, prompts.id), eq(promptFavourites.userId, user.id)))
  return exists(marks)
}
