import * as z from 'zod/mini'
import { MAX_RESULTS, type Search } from '../search.ts'
import { assertOk, callEngine, type EngineAddress, parseAnswer, resultsOf } from './call-engine.ts'
import { withSlash } from './yandex.ts'

const text = z.optional(z.nullable(z.string()))
const Answer = z.object({
  results: z.array(z.object({ url: text, title: text, content: text, published_date: text })),
})

/** Tavily: `basic` costs one credit, and the pages are read by us. */
export function tavilySearch({ baseUrl, apiKey, timeoutMs }: EngineAddress): Search {
  return async (query, signal) => {
    const body = {
      query: query.slice(0, MAX_QUERY),
      max_results: MAX_RESULTS,
      search_depth: 'basic',
      include_answer: false,
    }
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const url = new URL('search', withSlash(baseUrl))
    const answer = await callEngine(url, { method: 'POST', headers, body: JSON.stringify(body) }, signal, timeoutMs)
    // 432: the plan is used up; 433: the limit of what may be spent beyond it.
    assertOk(answer, { 432: 'quota', 433: 'quota' })
    const { results } = parseAnswer(Answer, answer.text)
    return resultsOf(
      results.map(({ content, published_date, ...rest }) => ({
        ...rest,
        snippet: content,
        date: isoDay(published_date),
      })),
    )
  }
}

const MAX_QUERY = 400

/** Dates come in the form of «Fri, 06 Mar 2026 10:00:00 GMT». */
function isoDay(date: string | null | undefined): string | null {
  const at = Date.parse(date ?? '')
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
