import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { dayZoneOf } from '#contract/day-zone.ts'
import type { HelpEntry, HelpPage } from '#contract/help.ts'
import { isProfileLink } from '#contract/profile-sections.ts'
import { findScreen } from '#contract/screens.ts'
import type { Db } from '#server/db/client.ts'
import { helpFeedback } from '#server/db/schema.ts'
import type { Ctx, CurrentSession } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { escapeHtml } from '#server/lib/html.ts'
import type { Rendered } from './markdown.ts'
import { findRendered } from './rendered.ts'

const Field = z.string().check(z.minLength(1))

const FrontMatter = z.strictObject({
  title: Field,
  /** One sentence, shown in the contents and in search results. */
  description: Field,
  /** Position among the pages of the folder. */
  order: z.coerce.number().check(z.int()),
  /** Synonyms that are searched but never shown. */
  words: z.optional(Field),
  /** Readable without a session. */
  open: z.optional(z.literal('true')),
})

/**
 * Splits a page into fields and text; the caller validates the fields. Not YAML, so that a title may contain a colon
 * without quotes: everything after the first colon of a line is the value.
 */
export function splitPage(source: string): { fields: Record<string, string>; text: string } {
  const [, head, text = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? []
  if (head === undefined) return { fields: {}, text: source }
  const pairs = head.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return { fields: Object.fromEntries(pairs), text }
}

export interface HelpText extends HelpEntry, Rendered {
  /** About running the installation: others do not see it. */
  forAdmins: boolean
  order: number
  /** Synonyms that are searched but never shown. */
  words: string
}

/** All pages in reading order, and the errors found: a page that cannot be rendered is left out, the server starts. */
export interface Help {
  pages: HelpText[]
  problems: string[]
}

const Sections = z.array(z.object({ folder: z.string(), title: z.string(), for: z.optional(z.literal('admins')) }))
type Sections = z.infer<typeof Sections>

export function openSlugs(pages: HelpText[]): string[] {
  return pages.filter(({ open }) => open).map(({ slug }) => slug)
}

/** Where a page names the base address for programs. */
const BASE_URL = '%BASE_URL%'
/** Where a page names the zone of the days. */
const ZONE = '%ZONE%'
/** Where a page names the address of support. */
const SUPPORT = '%SUPPORT%'
const NO_ADDRESS =
  'Владелец этой установки ещё не указал адрес поддержки. Обратитесь к тому, кто дал вам ссылку на неё.'
const writeTo = (email: string) => `Напишите на [${email}](mailto:${email}).`

export const nameSupport = (source: string, email: string | null): string =>
  source.replaceAll(SUPPORT, email ? writeTo(email) : NO_ADDRESS)

interface Named {
  /** Written into the page about support. */
  supportEmail?: string | null
  /** Written into the pages about programs. */
  appUrl?: string
  /** Whose time the days follow. */
  country?: string
}

export async function readHelp(
  folder: string,
  { supportEmail = null, appUrl = '', country }: Named = {},
): Promise<Help> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
  const sources = files.map((file): [string, string] => [
    relative(folder, file).split(sep).join('/').replace(/\.md$/, ''),
    nameSupport(readFileSync(file, 'utf8'), supportEmail),
  ])
  const sections = Sections.parse(JSON.parse(readFileSync(join(folder, 'sections.json'), 'utf8')))
  const texts = sources.map(([, source]) => splitPage(source).text)
  const render = await findRendered(folder, texts)
  const place = { [BASE_URL]: `${appUrl}/v1`, [ZONE]: dayZoneOf(country) }
  return makeHelp(sources, sections, (markdown) => namePlace(render(markdown), place))
}

/** After rendering, so that the pages of the build can be used. */
function namePlace(rendered: Rendered, place: Record<string, string>): Rendered {
  const named = (text: string, write = (value: string) => value) =>
    Object.entries(place).reduce((all, [mark, value]) => all.replaceAll(mark, write(value)), text)
  const [first, ...rest] = rendered.parts
  const inPart = (part: Rendered['parts'][number]) => ({ ...part, text: named(part.text) })
  return {
    ...rendered,
    html: named(rendered.html, escapeHtml),
    parts: [inPart(first), ...rest.map(inPart)],
  }
}

/** A folder is a section; `order` sorts the pages within it. */
export function makeHelp(
  sources: [slug: string, source: string][],
  sections: Sections,
  render: Reading['render'],
): Help {
  const problems: string[] = []
  const sectionIndex = (slug: string) => sections.findIndex(({ folder }) => slug.startsWith(`${folder}/`))
  const pages = sources.flatMap(([slug, source]) => {
    const section = sections[sectionIndex(slug)]
    if (!section) problems.push(`${slug}: its folder is not in sections.json`)
    const forAdmins = section?.for === 'admins'
    try {
      return [{ ...readPage(slug, source, section?.title ?? '', { problems, render }), forAdmins }]
    } catch (error) {
      problems.push(`${slug}: ${error instanceof Error ? error.message : error}`)
      return []
    }
  })
  pages.sort((a, b) => sectionIndex(a.slug) - sectionIndex(b.slug) || a.order - b.order || a.slug.localeCompare(b.slug))
  return { pages, problems }
}

interface Reading {
  problems: string[]
  render: (markdown: string) => Rendered
}

type ReadPage = Omit<HelpText, 'forAdmins'>

function readPage(slug: string, source: string, section: string, { problems, render }: Reading): ReadPage {
  const { fields, text } = splitPage(source)
  const known = FrontMatter.safeParse(fields)
  for (const issue of known.error?.issues ?? []) {
    const what = issue.code === 'unrecognized_keys' ? `unknown ${issue.keys}` : `no good ${issue.path}`
    problems.push(`${slug}: ${what} in the front matter`)
  }
  const {
    title = slug,
    description = '',
    order = Number.MAX_SAFE_INTEGER,
    words = '',
    open,
  } = known.data ?? withoutBadFields(fields)
  const entry = { slug, title, description, section, words, order: Number(order), open: open === 'true' }
  return { ...entry, ...render(text) }
}

/** A page with a bad or missing field is shown without it. */
function withoutBadFields({ title, description, order, words, open }: Record<string, string>) {
  return { title, description, order: Number.isInteger(Number(order)) ? order : undefined, words, open }
}

/** Addresses that the server answers itself, not the web application. */
const serverPaths = new Set(['/api/docs', '/api/openapi.json', '/dev/mail', '/metrics'])

/** Prompts are checked as well, so this is not only HelpText. */
type LinkedPage = Pick<HelpText, 'slug' | 'headings' | 'links'> & { forAdmins?: boolean }

/** Links to what does not exist, or to what the readers of the page may not open. */
export function brokenLinks(pages: readonly LinkedPage[]): string[] {
  const anchors = new Map(pages.map(({ slug, headings }) => [slug, new Set(headings.map(({ id }) => id))]))
  const closed = new Set(pages.filter(({ forAdmins }) => forAdmins).map(({ slug }) => slug))

  function exists({ slug: from, forAdmins = false }: LinkedPage, link: string): boolean {
    if (/^(?:https?|mailto):/.test(link)) return true
    const [path = '', anchor] = link.split('#')
    const slug = path === '' ? from : /^\/help\/(.+)$/.exec(path)?.[1]
    if (!forAdmins && (path.startsWith('/admin') || closed.has(slug ?? ''))) return false
    if (slug !== undefined) return anchor === undefined ? anchors.has(slug) : anchors.get(slug)?.has(anchor) === true
    if (anchor !== undefined) return isProfileLink(link)
    return serverPaths.has(path) || findScreen(path) !== null
  }

  return pages.flatMap((page) =>
    page.links.filter((link) => !exists(page, link)).map((link) => `${page.slug}: ${link} leads nowhere`),
  )
}

/** Null is a visitor without a session, who can read only the open pages. */
type Reader = CurrentSession | null

export function visiblePagesOf(pages: HelpText[], reader: Reader): HelpText[] {
  if (reader?.user.role === 'admin') return pages
  return pages.filter(({ open, forAdmins }) => (reader ? !forAdmins : open))
}

export async function readHelpPage(db: Db, pages: HelpText[], reader: Reader, slug: string): Promise<HelpPage> {
  const page = findPage(pages, slug)
  const visiblePages = visiblePagesOf(pages, reader)
  if (!visiblePages.includes(page))
    throw reader ? noSuchPage() : new AppError('unauthorized', 'Войдите, чтобы прочитать эту страницу.')
  const neighbours = visiblePages.filter(({ forAdmins }) => forAdmins === page.forAdmins)
  const at = neighbours.indexOf(page)
  return {
    ...page,
    previous: neighbours[at - 1] ?? null,
    next: neighbours[at + 1] ?? null,
    useful: reader ? await feedbackOf(db, reader.user.id, slug) : null,
  }
}

export function findPage(pages: HelpText[], slug: string): HelpText {
  const page = pages.find((one) => one.slug === slug)
  if (!page) throw noSuchPage()
  return page
}

const noSuchPage = () => notFound('Такой страницы помощи нет')

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
