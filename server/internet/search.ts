import type { Failure } from '#server/lib/failure.ts'

/** A web search engine: pages for a query, best first. */
export type Search = (query: string, signal: AbortSignal) => Promise<SearchResult[]>

export interface SearchResult {
  url: string
  title: string
  snippet: string
  /** The day of publication or change as YYYY-MM-DD, where the engine knows it. */
  date: string | null
}

export type SearchErrorKind = 'key' | 'quota' | 'busy' | 'timeout' | 'down' | 'refused'

/** For the log and the metrics only. It has no text of the answer, which quotes the query. */
export class SearchError extends Error {
  override name = 'SearchError'
  readonly kind: SearchErrorKind
  readonly failure: Failure

  constructor(kind: SearchErrorKind, failure: Failure = {}) {
    super(`The search engine failed: ${kind}`)
    this.kind = kind
    this.failure = failure
  }
}

/** How many results are asked for: more than are read, because some pages will not open. */
export const MAX_RESULTS = 10
