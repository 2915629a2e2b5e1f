import { DETAILED_SEARCH, USUAL_SEARCH, type WebOptions, type WebStage } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import { countWebSearch } from '#server/http/metrics.ts'
import { type Search, SearchError } from '#server/internet/search.ts'
import { storableText } from '#server/lib/storable.ts'
import { choosePassages, type WebPassage, wholePages } from './choose.ts'
import type { WebDeps } from './deps.ts'
import { readPages } from './read-pages.ts'
import { type QueryModel, type QuestionWithHistory, writeQuery } from './write-query.ts'

export interface WebRequest extends QuestionWithHistory, WebOptions {
  /** The limit of all passages in symbols. */
  most: number
  model: QueryModel
  /** Removes the parts of a query that the engine must not see. */
  mask: (query: string) => string
  /** Called when the engine has answered, to record the cost. */
  onSearched: () => Promise<void>
}

export interface WebFindings {
  /** Those of the named pages first, then those of the search. */
  passages: WebPassage[]
  query: string | null
  /** How many passages at the end of `passages` come from the search. */
  found: number
  /** Named pages that could not be read. */
  unread: string[]
}

/** The share of the symbols that named pages may use when there is a search too. */
const NAMED_SHARE = 0.6

/** Searches and reads pages for one question. Throws only when it is stopped; pages that fail are left out. */
export async function findInWeb(
  db: Db,
  deps: WebDeps,
  request: WebRequest,
  signal: AbortSignal,
  onStage: (stage: WebStage) => void,
): Promise<WebFindings> {
  const { question, pages, most } = request
  const search = request.search ? deps.search : null
  const named = pages.length > 0 ? await readNamed(deps, request, signal, onStage) : []
  const read = named.flatMap(({ page }) => page ?? [])
  const ofNamed = await wholePages(db, question, read, search ? Math.floor(most * NAMED_SHARE) : most)
  const unread = named.filter(({ page }) => !page).map(({ url }) => storableText(url))
  if (!search) return { passages: ofNamed.map(storablePassage), query: null, found: 0, unread }
  onStage({ type: 'search', query: '' })
  const query = storableText(request.mask(await writeQuery(request.model, request, signal)))
  onStage({ type: 'search', query })
  const left = most - ofNamed.reduce((sum, { text }) => sum + text.length, 0)
  const found = await searchAndRead(db, deps, search, { ...request, query, most: left }, signal, onStage)
  return { passages: [...ofNamed, ...found].map(storablePassage), query, found: found.length, unread }
}

/** Texts of web pages may contain characters that Postgres rejects, or be cut inside a surrogate pair. */
const storablePassage = ({ url, site, title, date, text }: WebPassage): WebPassage => ({
  url: storableText(url),
  site: storableText(site),
  title: storableText(title),
  date,
  text: storableText(text),
})

async function readNamed(
  deps: WebDeps,
  { pages, model }: WebRequest,
  signal: AbortSignal,
  onStage: (stage: WebStage) => void,
) {
  onStage({ type: 'read', pages: pages.length })
  return Promise.all(
    pages.map(async (url) => {
      const [page] = await readPages(deps, [{ url }], 1, model.userId, signal)
      return { url, page }
    }),
  )
}

async function searchAndRead(
  db: Db,
  deps: WebDeps,
  search: Search,
  { query, question, model, most, onSearched, ...request }: WebRequest & { query: string },
  signal: AbortSignal,
  onStage: (stage: WebStage) => void,
): Promise<WebPassage[]> {
  try {
    const results = await search(query, signal)
    await onSearched()
    if (results.length === 0) return nothingFound('empty')
    const { pages: mostPages } = request.search === 'detailed' ? DETAILED_SEARCH : USUAL_SEARCH
    onStage({ type: 'read', pages: Math.min(mostPages, results.length) })
    const pages = await readPages(deps, results, mostPages, model.userId, signal)
    const passages = await choosePassages(db, `${query}\n${question.slice(0, 500)}`, pages, most)
    if (passages.length === 0) return nothingFound('unread')
    countWebSearch('found')
    return passages
  } catch (error) {
    signal.throwIfAborted()
    const kind = error instanceof SearchError ? error.kind : 'down'
    deps.log.warn({ err: error }, 'web search: the engine failed')
    return nothingFound(kind)
  }
}

function nothingFound(outcome: string): [] {
  countWebSearch(outcome)
  return []
}
