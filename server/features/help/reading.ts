import type { HelpPage } from '#contract/help.ts'
import type { Db } from '#server/db/client.ts'
import type { CurrentSession } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { feedbackOf } from './feedback.ts'
import type { HelpText } from './pages.ts'

/** Who reads; null is a stranger, for whom only open pages are there. */
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
