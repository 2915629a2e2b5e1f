import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeResult {
  url: string
  title: string
  snippet?: string
  date?: string
}

type Script = (response: ServerResponse) => void

export interface FakeEngine {
  baseUrl: string
  requests: { method: string; url: URL; headers: IncomingMessage['headers']; body: string }[]
  play: (script: Script) => void
  close: () => Promise<void>
}

export async function startFakeEngine(): Promise<FakeEngine> {
  const requests: FakeEngine['requests'] = []
  let script: Script = json({})
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    requests.push({ method, url: new URL(url, 'http://engine.example'), headers, body })
    script(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play: (next) => {
      script = next
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export const sends =
  (status: number, body: string, type = 'application/json'): Script =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)
export const json = (body: unknown, status = 200): Script => sends(status, JSON.stringify(body))
export const hangs: Script = () => {}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const inYandex = (response: string) =>
  json({
    rawData: Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?>\n<yandexsearch version="1.0"><request><query>x</query><page>0</page></request><response date="20261116T100000">${response}</response></yandexsearch>`,
    ).toString('base64'),
  })

export const yandexError = (code: number, message: string) => inYandex(`<error code="${code}">${message}</error>`)

/** An answer of Yandex Search API v2 as its documentation shows it. */
export const yandexFinds = (...results: FakeResult[]) =>
  inYandex(
    `<reqid>1</reqid><found priority="all">2</found><results><grouping attr="d" mode="deep" groups-on-page="10" docs-in-group="1" curcateg="-1"><page first="1" last="10">0</page>${results
      .map(
        ({ url, title, snippet = '', date }, n) =>
          `<group><categ attr="d" name="${n}"/><doccount>1</doccount><relevance/><doc id="Z${n}"><relevance priority="phrase"/><url>${escaped(url)}</url><domain>d</domain><title>${escaped(title).replace('кофе', '<hlword>кофе</hlword>')}</title>${date ? `<modtime>${date.replaceAll('-', '')}T040000</modtime>` : ''}<mime-type>text/html</mime-type><passages><passage>${escaped(snippet)}</passage><passage>и ещё</passage></passages><properties><lang>ru</lang></properties></doc></group>`,
      )
      .join('')}</grouping></results>`,
  )

export const searxngFinds = (...results: FakeResult[]) =>
  json({
    query: 'x',
    number_of_results: results.length,
    results: results.map(({ snippet, date, ...rest }) => ({
      ...rest,
      content: snippet,
      engine: 'duckduckgo',
      publishedDate: date ? `${date}T00:00:00` : null,
    })),
    answers: [],
    suggestions: [],
    unresponsive_engines: [],
  })

export const braveFinds = (...results: FakeResult[]) =>
  json({
    type: 'search',
    query: { original: 'x' },
    ...(results.length > 0 && {
      web: {
        type: 'search',
        results: results.map(({ snippet, date, ...rest }) => ({
          ...rest,
          description: snippet,
          ...(date && { page_age: `${date}T10:00:00` }),
        })),
      },
    }),
  })

export const tavilyFinds = (...results: FakeResult[]) =>
  json({
    query: 'x',
    answer: null,
    images: [],
    results: results.map(({ snippet, date, ...rest }) => ({
      ...rest,
      content: snippet,
      score: 0.9,
      raw_content: null,
      ...(date && { published_date: new Date(date).toUTCString() }),
    })),
    response_time: 1.1,
  })
