import * as z from 'zod/mini'
import { type Search, SearchError } from '../search.ts'
import { assertOk, callEngine, type EngineAddress, parseAnswer, resultsOf } from './call-engine.ts'
import { withSlash } from './yandex.ts'

const text = z.optional(z.nullable(z.string()))
const Answer = z.object({
  results: z.array(z.object({ url: text, title: text, content: text, publishedDate: text })),
  /** Pairs of an engine and what happened to it. */
  unresponsive_engines: z.optional(z.array(z.array(z.string()))),
})

/** An own SearXNG with `json` among its formats. */
export function searxngSearch({ baseUrl, apiKey, timeoutMs }: EngineAddress): Search {
  return async (query, signal) => {
    const url = new URL('search', withSlash(baseUrl))
    url.search = String(new URLSearchParams({ q: query, format: 'json', language: 'ru', safesearch: '1' }))
    const headers = { accept: 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) }
    const answer = await callEngine(url, { headers }, signal, timeoutMs)
    assertOk(answer)
    const { results, unresponsive_engines: silent = [] } = parseAnswer(Answer, answer.text)
    // No results and failed engines is an outage, not an empty result.
    if (results.length === 0 && silent.length > 0) throw new SearchError('down', { code: 'no_engine_answered' })
    return resultsOf(
      results.map(({ content, publishedDate, ...rest }) => ({ ...rest, snippet: content, date: publishedDate })),
    )
  }
}
