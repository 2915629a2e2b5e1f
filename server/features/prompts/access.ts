import { and, eq, exists, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PromptFilter } from '#contract/prompts.ts'
import { promptFavourites, promptGuests, prompts } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'

export const noSuchPrompt = () => notFound('Такого промпта нет')
export const onlyAdminPublishes = () => new AppError('forbidden', 'Публиковать промпты может только администратор.')
export const publishedIsFixed = () =>
  new AppError(
    'forbidden',
    'Промпт опубликован для всех, и его текст меняет администратор. Снимите его с публикации или сделайте копию.',
  )

/** False in an impersonated session. */
export const isAdmin = ({ user, session }: Ctx) => user.role === 'admin' && !session.impersonatedBy

const own = ({ user }: Ctx) => eq(prompts.userId, user.id)
const isOpen = isNull(prompts.deletedAt)

export function visible(ctx: Ctx, view: PromptFilter['view'] = 'all'): SQL | undefined {
  const all = or(own(ctx), prompts.published, guest(ctx))
  if (view === 'own') return and(isOpen, own(ctx))
  if (view === 'published') return and(isOpen, prompts.published)
  if (view === 'shared') return and(isOpen, guest(ctx))
  return and(isOpen, all, view === 'favourites' ? favoured(ctx) : undefined)
}

/** A prompt that the library shows to the user; for an admin any that is not in the trash. */
export const readable = (ctx: Ctx, id: string) => and(eq(prompts.id, id), isAdmin(ctx) ? isOpen : visible(ctx))

/** The prompts that a user manages, with the trash; undefined means all, for an admin. */
export const ownOrAnyIfAdmin = (ctx: Ctx) => (isAdmin(ctx) ? undefined : own(ctx))

/** A prompt that the user may change or delete, also in the trash. */
export const manageable = (ctx: Ctx, id: string) => and(eq(prompts.id, id), ownOrAnyIfAdmin(ctx))

/** Only an admin may change the text of a published prompt. */
export const isFixed = (ctx: Ctx, prompt: { published: boolean }) => prompt.published && !isAdmin(ctx)

/** The user has added the prompt by a link that is still valid. */
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
