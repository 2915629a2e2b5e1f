import * as z from 'zod/mini'
import { MAX_RESULTS, type Search, SearchError, type SearchErrorKind } from '../search.ts'
import { assertOk, callEngine, type EngineAddress, parseAnswer, resultsOf } from './call-engine.ts'

const Answer = z.object({ rawData: z.string() })

/** Yandex Search API v2, synchronous: JSON around a base64 XML document. */
export function yandexSearch({ baseUrl, apiKey, folder, timeoutMs }: EngineAddress): Search {
  return async (query, signal) => {
    const body = {
      query: { searchType: 'SEARCH_TYPE_RU', queryText: query.slice(0, MAX_QUERY), familyMode: 'FAMILY_MODE_MODERATE' },
      groupSpec: { groupMode: 'GROUP_MODE_DEEP', groupsOnPage: String(MAX_RESULTS), docsInGroup: '1' },
      maxPassages: '3',
      folderId: folder,
      responseFormat: 'FORMAT_XML',
    }
    const headers = { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' }
    const url = new URL('v2/web/search', withSlash(baseUrl))
    const answer = await callEngine(url, { method: 'POST', headers, body: JSON.stringify(body) }, signal, timeoutMs)
    assertOk(answer)
    return readXml(Buffer.from(parseAnswer(Answer, answer.text).rawData, 'base64').toString('utf8'))
  }
}

/** The service takes at most 400 symbols and 40 words. */
const MAX_QUERY = 400
const NOTHING_FOUND = '15'
const errorKinds: Record<string, SearchErrorKind> = { 31: 'key', 32: 'quota', 33: 'key', 42: 'key', 55: 'busy' }

/** The document is flat and small, so it is read without a parser: `doc` elements, and in each its fields. */
function readXml(xml: string) {
  if (!xml.includes('<yandexsearch')) throw new SearchError('down', { code: 'unknown_answer' })
  const [, code] = /<error\s+code="(\d{1,6})"/.exec(xml) ?? []
  if (code === NOTHING_FOUND) return []
  if (code !== undefined) throw new SearchError(errorKinds[code] ?? 'refused', { code })
  const docs = [...xml.matchAll(/<doc\s[^>]*>([\s\S]*?)<\/doc>/g)].map(([, doc = '']) => doc)
  return resultsOf(
    docs.map((doc) => ({
      url: fieldOf(doc, 'url'),
      title: fieldOf(doc, 'title'),
      snippet: fieldOf(doc, 'passages') || fieldOf(doc, 'headline'),
      date: fieldOf(doc, 'modtime').replace(/T.*/, ''),
    })),
  )
}

const fieldOf = (doc: string, name: string) =>
  unescaped(
    (new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(doc)?.[1] ?? '').replace(/<[^>]*>/g, (tag) =>
      tag === '</passage>' ? ' ' : '',
    ),
  )

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(text: string): string {
  return text.replace(/&(#x?[\da-f]{1,6}|\w{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

export const withSlash = (url: string) => (url.endsWith('/') ? url : `${url}/`)
