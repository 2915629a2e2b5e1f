import { and, eq } from 'drizzle-orm'
import type { HelpPage } from '#contract/help.ts'
import type { Db } from '#server/db/client.ts'
import { helpFeedback } from '#server/db/schema.ts'
import type { Ctx, CurrentSession } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { HelpText } from './pages.ts'

/** Null is a visitor without a session, who can read only the open pages. */
export type Reader = CurrentSession | null

export function visiblePagesOf(pages: HelpText[], reader: Reader): HelpText[] {
  return reader ? pages : pages.filter(({ open }) => open)
}

export async function readHelpPage(db: Db, pages: HelpText[], reader: Reader, slug: string): Promise<HelpPage> {
  const page = findPage(pages, slug)
  if (!reader && !page.open) throw new AppError('unauthorized', 'Войдите, чтобы прочитать эту страницу.')
  const visiblePages = visiblePagesOf(pages, reader)
  const at = visiblePages.indexOf(page)
  return {
    ...page,
    previous: visiblePages[at - 1] ?? null,
    next: visiblePages[at + 1] ?? null,
    useful: reader ? await feedbackOf(db, reader.user.id, slug) : null,
  }
}

export function findPage(pages: HelpText[], slug: string): HelpText {
  const page = pages.find((one) => one.slug === slug)
  if (!page) throw notFound('Такой страницы помощи нет')
  return page
}

interface Feedback {
  slug: string
  useful: boolean
}

/** A user has one answer per page; a new one replaces it. */
export async function saveFeedback({ db, user }: Ctx, { slug, useful }: Feedback): Promise<Feedback> {
  await db
    .insert(helpFeedback)
    .values({ userId: user.id, slug, useful })
    .onConflictDoUpdate({ target: [helpFeedback.userId, helpFeedback.slug], set: { useful, at: new Date() } })
  return { slug, useful }
}

async function feedbackOf(db: Db, userId: string, slug: string): Promise<boolean | null> {
  const [given] = await db
    .select({ useful: helpFeedback.useful })
    .from(helpFeedback)
    .where(and(eq(helpFeedback.userId, userId), eq(helpFeedback.slug, slug)))
  return given?.useful ?? null
}
