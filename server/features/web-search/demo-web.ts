import { documents } from '#server/files/types.ts'
import { MAX_RESULTS, type Search } from '#server/internet/search.ts'
import { escapeHtml } from '#server/lib/html.ts'
import type { HelpText } from '../help/pages.ts'
import type { FetchPage } from './read-pages.ts'

/**
 * The web of the demo: the help pages of this server, so that a search can be tried without a key. They are read from
 * memory, because this server is on a private address, and open by their real addresses.
 */
export function demoWeb(pages: readonly HelpText[], appUrl: string): { search: Search; fetchPage: FetchPage } {
  const open = pages.filter(({ forAdmins }) => !forAdmins)
  const known = new Map(open.map((page) => [`${appUrl}/help/${page.slug}`, page]))
  return {
    search: async (query) => {
      const words = wordsOf(query)
      return [...known]
        .map(([url, page]) => ({ url, page, score: scoreOf(page, words) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, MAX_RESULTS)
        .map(({ url, page: { title, description } }) => ({ url, title, snippet: description, date: null }))
    },
    fetchPage: async (address) => {
      const page = known.get(address)
      if (!page) throw new Error(`The demo has no page ${address}`)
      return {
        url: address,
        mime: documents.html.mime,
        charset: 'utf-8',
        bytes: new Uint8Array(Buffer.from(htmlOf(page))),
      }
    },
  }
}

const SITE = 'Демонстрационный поиск по справке'

const htmlOf = ({ title, html }: HelpText) =>
  `<html><head><title>${escapeHtml(title)}</title><meta property="og:site_name" content="${SITE}"></head>
  <body><article><h1>${escapeHtml(title)}</h1>${html}</article></body></html>`

/** Beginnings of words, so that forms of a word match each other. */
const wordsOf = (text: string) =>
  new Set(
    (
      text
        .toLowerCase()
        .replaceAll('ё', 'е')
        .match(/[\p{L}\p{N}]{4,}/gu) ?? []
    ).map((word) => word.slice(0, 5)),
  )

function scoreOf({ title, description, words, parts }: HelpText, wanted: Set<string>): number {
  const [named, text] = [wordsOf(`${title} ${words} ${description}`), wordsOf(parts.map((part) => part.text).join(' '))]
  let score = 0
  for (const word of wanted) score += (named.has(word) ? 3 : 0) + (text.has(word) ? 1 : 0)
  return score
}
