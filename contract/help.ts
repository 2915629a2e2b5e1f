import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const HelpEntry = z.object({
  /** Folder and name of the file, as in the address, for example money/why. */
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  section: z.string(),
  /** Readable without a session. */
  open: z.boolean(),
  /** About running the installation: only admins see it. */
  forAdmins: z._default(z.boolean(), false),
})
export type HelpEntry = z.infer<typeof HelpEntry>

const Neighbour = z.nullable(z.object({ slug: z.string(), title: z.string() }))

export const HelpHeading = z.object({ id: z.string(), text: z.string(), level: z.int() })
export type HelpHeading = z.infer<typeof HelpHeading>

export const HelpPage = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  /** Rendered from files of the repository, so it is safe to insert. */
  html: z.string(),
  headings: z.array(HelpHeading),
  previous: Neighbour,
  next: Neighbour,
  /** The reader's vote on the page; null without one. */
  useful: z.nullable(z.boolean()),
})
export type HelpPage = z.infer<typeof HelpPage>

export const HelpSearchResult = z.object({
  slug: z.string(),
  title: z.string(),
  forAdmins: z._default(z.boolean(), false),
  /** The section that matches best; null for the beginning of the page. */
  heading: z.nullable(z.object({ id: z.string(), text: z.string() })),
  fragment: z.array(z.object({ text: z.string(), hit: z.boolean() })),
})
export type HelpSearchResult = z.infer<typeof HelpSearchResult>

export const MAX_HELP_QUERY = 100

const Feedback = z.strictObject({ slug: z.string().check(z.minLength(1), z.maxLength(200)), useful: z.boolean() })

export const helpApi = {
  list: endpoint('GET', '/api/help', {
    who: 'anyone',
    summary: 'Страницы помощи в порядке чтения; без входа только открытые',
    returns: z.array(HelpEntry),
  }),
  page: endpoint('GET', '/api/help/pages/:slug', {
    who: 'anyone',
    summary: 'Страница помощи; косые черты в имени кодируются',
    returns: HelpPage,
  }),
  search: endpoint('GET', '/api/help/search', {
    who: 'anyone',
    summary: 'Поиск по помощи с учётом форм слов, до 10 страниц',
    query: z.object({ query: z.string().check(z.trim(), z.maxLength(MAX_HELP_QUERY)) }),
    returns: z.array(HelpSearchResult),
  }),
  feedback: endpoint('POST', '/api/help/feedback', {
    who: 'user',
    summary: 'Сказать, полезна ли страница помощи; повторный ответ заменяет прежний',
    body: Feedback,
    returns: Feedback,
  }),
}
