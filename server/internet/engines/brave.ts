import * as z from 'zod/mini'
import { MAX_RESULTS, type Search, SearchError } from '../search.ts'
import { assertOk, callEngine, type EngineAddress, parseAnswer, resultsOf } from './call-engine.ts'
import { withSlash } from './yandex.ts'

const text = z.optional(z.nullable(z.string()))
const Answer = z.object({
  /** Absent when nothing was found. */
  web: z.optional(
    z.object({ results: z.array(z.object({ url: text, title: text, description: text, page_age: text })) }),
  ),
})

export function braveSearch({ baseUrl, apiKey, timeoutMs }: EngineAddress): Search {
  return async (query, signal) => {
    const url = new URL('res/v1/web/search', withSlash(baseUrl))
    const q = query.split(/\s+/).slice(0, MAX_WORDS).join(' ').slice(0, MAX_QUERY)
    url.search = String(
      new URLSearchParams({ q, count: String(MAX_RESULTS), safesearch: 'moderate', text_decorations: 'false' }),
    )
    const headers = { accept: 'application/json', 'x-subscription-token': apiKey ?? '' }
    const answer = await callEngine(url, { headers }, signal, timeoutMs)
    // The same status means «too fast» and «the month is used up».
    if (answer.status === 429 && /quota/i.test(answer.text)) throw new SearchError('quota', { status: 429 })
    // A wrong key is 422 and not 401.
    if (/SUBSCRIPTION_TOKEN_INVALID/.test(answer.text)) throw new SearchError('key', { status: answer.status })
    assertOk(answer)
    const { web } = parseAnswer(Answer, answer.text)
    return resultsOf(
      (web?.results ?? []).map(({ description, page_age, ...rest }) => ({
        ...rest,
        snippet: description,
        date: page_age,
      })),
    )
  }
}

const MAX_QUERY = 400
const MAX_WORDS = 50
