/** A web search engine: pages for a query, best first. */
export type Search = (query: string, signal: AbortSignal) => Promise<SearchResult[]>

export interface SearchResult {
  url: string
  title: string
  /** The text that the engine shows for the page. */
  snippet: string
  /** The day of publication or change as YYYY-MM-DD, where the engine knows it. */
  date: string | null
}

export type SearchErrorKind = 'key' | 'quota' | 'busy' | 'timeout' | 'down' | 'refused'

/** An engine's error; for the log and the metrics only, the person sees one sentence for all. */
export class SearchError extends Error {
  override name = 'SearchError'
  readonly kind: SearchErrorKind

  constructor(kind: SearchErrorKind, details: string, cause?: unknown) {
    super(details, { cause })
    this.kind = kind
  }
}

/** How many results are asked for: more than are read, because some pages will not open. */
export const MAX_RESULTS = 10
