import * as z from 'zod/mini'
import { price, type Rates } from './billing.ts'
import { endpoint } from './endpoint.ts'

/** How much a search reads: true is the usual search, which is enough for most questions. */
export const WebSearch = z.union([z.boolean(), z.literal('detailed')])
export type WebSearch = z.infer<typeof WebSearch>

export interface WebOptions {
  search: WebSearch
  /** Addresses of the message to read. */
  pages: readonly string[]
}

/** How many pages a search reads, and the most that they add to a question, in symbols (decision 042). */
export const USUAL_SEARCH = { pages: 3, symbols: 4000 }
export const DETAILED_SEARCH = { pages: 6, symbols: 12_000 }

/** The most that pages of the web add to a question, in symbols. A page that a person names is read in detail. */
export function webSymbols({ search, pages }: WebOptions): number {
  if (search === 'detailed' || pages.length > 0) return DETAILED_SEARCH.symbols
  return search ? USUAL_SEARCH.symbols : 0
}

/** The most that search and pages add to the price of a question: the same for the screen and for the charge. */
export function webPrice(options: WebOptions, searchPrice: number, rates: Rates): { search: number; pages: number } {
  return { search: options.search ? searchPrice : 0, pages: price(webSymbols(options), 0, rates) }
}

export const MAX_NAMED_PAGES = 3

/** A step of an answer before the model is asked. */
export const WebStage = z.discriminatedUnion('type', [
  /** The query is empty while it is being written. */
  z.object({ type: z.literal('search'), query: z.string() }),
  z.object({ type: z.literal('read'), pages: z.int() }),
  /** Search words for the assistant's files are written. */
  z.object({ type: z.literal('words') }),
])
export type WebStage = z.infer<typeof WebStage>

export const WebSource = z.object({
  url: z.string(),
  site: z.string(),
  title: z.string(),
  /** The day of publication as YYYY-MM-DD; null when the page names none. */
  date: z.nullable(z.string()),
})
export type WebSource = z.infer<typeof WebSource>

export const WebUse = z.object({
  /** Null when only named pages were read. */
  query: z.nullable(z.string()),
  /** False when a search was asked for and gave nothing: the answer comes from memory. */
  hasFound: z.boolean(),
  /** Symbols charged for the search itself. */
  price: z.int(),
  /** Named pages that could not be read. */
  unread: z.array(z.string()),
  /** What the person asked for, so that it can be repeated. */
  request: z.object({ search: z.boolean(), pages: z.array(z.string()), detailed: z.optional(z.literal(true)) }),
  /** The search has no result yet, or the answer ended before it had one. */
  pending: z.optional(z.literal(true)),
})
export type WebUse = z.infer<typeof WebUse>

/** The same options once more, as a stored answer remembers them. */
export function toWebOptions({ search, pages, detailed }: NonNullable<WebUse['request']>): WebOptions {
  return { search: search && (detailed ? 'detailed' : true), pages }
}

export const WebQuote = z.extend(WebSource, { n: z.int(), text: z.string() })
export type WebQuote = z.infer<typeof WebQuote>

export const webSearchApi = {
  quote: endpoint('GET', '/api/threads/:id/message/:messageId/web/:n', {
    who: 'user',
    summary: 'Место страницы, на которое ссылается ответ, таким, каким оно было прочитано',
    returns: WebQuote,
  }),
}

/** Addresses of pages in a text, each once, without the sign that ends a sentence. */
export function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"«»]+/gi) ?? []
  const links = found
    .slice(0, MAX_LINKS)
    .map((link) => withoutBracket(link.slice(0, MAX_LINK).replace(SENTENCE_END, '')))
  return [...new Set(links.filter((link) => URL.canParse(link) && new URL(link).hostname.includes('.')))]
}

const MAX_LINKS = 100
/** A longer address is not read. */
const MAX_LINK = 2000
const SENTENCE_END = /(?<![.,;:!?…'*_])[.,;:!?…'*_]+$/

/** A bracket that was opened before the address closes after it: «(https://site.example)». */
function withoutBracket(link: string): string {
  let spare = link.split(')').length - link.split('(').length
  let end = link.length
  for (; spare > 0 && link[end - 1] === ')'; spare -= 1) end -= 1
  return link.slice(0, end)
}
