import { findScreen } from '#contract/screens.ts'
import type { HelpText } from './pages.ts'

/** Addresses that the server answers itself, not the web application. */
const served = new Set(['/api/docs', '/api/openapi.json', '/dev/mail', '/metrics'])

/** Also made from prompts, which have links too. */
type LinkedPage = Pick<HelpText, 'slug' | 'headings' | 'links'>

/** Links to pages, headings or screens that do not exist. `profileSections` are the anchors of /profile. */
export function brokenLinks(pages: readonly LinkedPage[], profileSections: ReadonlySet<string>): string[] {
  const anchors = new Map(pages.map(({ slug, headings }) => [slug, new Set(headings.map(({ id }) => id))]))

  function leads(from: string, link: string): boolean {
    if (/^https?:/.test(link)) return true
    const [path = '', anchor] = link.split('#')
    const slug = path === '' ? from : /^\/help\/(.+)$/.exec(path)?.[1]
    if (slug !== undefined) return anchor === undefined ? anchors.has(slug) : anchors.get(slug)?.has(anchor) === true
    if (anchor !== undefined) return path === '/profile' && profileSections.has(anchor)
    return served.has(path) || findScreen(path) !== null
  }

  return pages.flatMap(({ slug, links }) =>
    links.filter((link) => !leads(slug, link)).map((link) => `${slug}: ${link} leads nowhere`),
  )
}
