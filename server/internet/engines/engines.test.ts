import { describe, expect, test } from 'vitest'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { openSearch } from '../open-search.ts'
import { SearchError } from '../search.ts'
import type { SearchEngine } from '../search-settings.ts'
import {
  braveFinds,
  hangs,
  json,
  searxngFinds,
  sends,
  startFakeEngine,
  tavilyFinds,
  yandexError,
  yandexFinds,
} from '../testing/fake-engine.ts'

const server = await closeAfterTests(startFakeEngine())

const forever = new AbortController().signal
const engine = (name: SearchEngine, timeoutMs = 5000) =>
  openSearch({ engine: name, baseUrl: server.baseUrl, apiKey: 'a-key', folder: 'b1folder', timeoutMs })
const search = (name: SearchEngine, query = 'кофе') => engine(name)(query, forever)
const failure = (name: SearchEngine) =>
  search(name).then(
    () => 'none',
    (error) => (error instanceof SearchError ? error.kind : Promise.reject(error)),
  )
const lastRequest = () => {
  const request = server.requests.at(-1)
  if (!request) throw new Error('Nothing was asked')
  return request
}

const found = [
  {
    url: 'https://zerno.example/a?x=1&y=2',
    title: 'Всё о кофе & чае',
    snippet: 'Зреет <девять> месяцев',
    date: '2026-03-05',
  },
  { url: 'https://chay.example/', title: 'Чай' },
]
const finds = { yandex: yandexFinds, searxng: searxngFinds, brave: braveFinds, tavily: tavilyFinds }
const names = ['yandex', 'searxng', 'brave', 'tavily'] as const

describe.each(names)('%s', (name) => {
  test('finds pages with address, title, snippet and day', async () => {
    server.play(finds[name](...found))
    const [first, second, ...more] = await search(name)
    expect(first).toMatchObject({ url: found[0]?.url, title: 'Всё о кофе & чае', date: '2026-03-05' })
    expect(first?.snippet).toContain('месяцев')
    expect(second).toMatchObject({ url: 'https://chay.example/', title: 'Чай', date: null })
    expect(more).toEqual([])
  })

  test('finds nothing without an error (S10.311)', async () => {
    server.play(name === 'yandex' ? yandexError(15, 'Искомая комбинация слов нигде не встречается') : finds[name]())
    expect(await search(name)).toEqual([])
  })

  test('leaves out repeated results and results that are not web addresses', async () => {
    server.play(
      finds[name](
        { url: 'javascript:alert(1)', title: 'x' },
        { url: 'ftp://a.example/', title: 'x' },
        found[1] as never,
        found[1] as never,
      ),
    )
    expect((await search(name)).map(({ url }) => url)).toEqual(['https://chay.example/'])
  })

  test('distinguishes a wrong key, an outage and a strange answer (S10.311)', async () => {
    server.play(json({ message: 'Unknown api key' }, 401))
    expect(await failure(name)).toBe('key')
    server.play(sends(503, 'bad gateway', 'text/html'))
    expect(await failure(name)).toBe('down')
    server.play(sends(200, '<html>captcha</html>', 'text/html'))
    expect(await failure(name)).toBe('down')
    server.play(json({ results: 'none', rawData: 7, web: 1 }))
    expect(await failure(name)).toBe('down')
    server.play(json({ message: 'slow down' }, 429))
    expect(await failure(name)).toBe('busy')
  })

  test('gives up in time, and at once when the answer is stopped', async () => {
    server.play(hangs)
    await expect(engine(name, 100)('кофе', forever)).rejects.toMatchObject({ kind: 'timeout' })
    const stop = new AbortController()
    const searching = engine(name)('кофе', stop.signal)
    stop.abort(new Error('stopped'))
    await expect(searching).rejects.toThrow('stopped')
  })
})

test('Yandex gets key and folder, and its errors are known (S10.311)', async () => {
  server.play(yandexFinds(...found))
  await search('yandex', 'как зреет кофе')
  expect(lastRequest()).toMatchObject({ method: 'POST', headers: { authorization: 'Api-Key a-key' } })
  expect(lastRequest().url.pathname).toBe('/v2/web/search')
  expect(JSON.parse(lastRequest().body)).toMatchObject({
    query: { searchType: 'SEARCH_TYPE_RU', queryText: 'как зреет кофе' },
    folderId: 'b1folder',
    responseFormat: 'FORMAT_XML',
  })
  server.play(yandexError(32, 'Превышено ограничение на количество запросов'))
  expect(await failure('yandex')).toBe('quota')
  server.play(yandexError(42, 'Ключ не прошёл проверку'))
  expect(await failure('yandex')).toBe('key')
  server.play(yandexError(55, 'Слишком часто'))
  expect(await failure('yandex')).toBe('busy')
  server.play(json({ code: 7, message: 'Permission denied', details: [] }, 403))
  expect(await failure('yandex')).toBe('key')
})

test('SearXNG is asked for JSON, and silent engines are an error (S10.311)', async () => {
  server.play(searxngFinds(...found))
  await search('searxng', 'кофе & чай')
  expect(Object.fromEntries(lastRequest().url.searchParams)).toMatchObject({ q: 'кофе & чай', format: 'json' })
  server.play(json({ query: 'x', results: [], unresponsive_engines: [['google', 'timeout']] }))
  expect(await failure('searxng')).toBe('down')
  // The format `json` is not allowed in its settings.
  server.play(sends(403, 'Forbidden', 'text/html'))
  expect(await failure('searxng')).toBe('key')
})

test('Brave gets its token, and its quota and key errors are known (S10.311)', async () => {
  server.play(braveFinds(...found))
  await search('brave')
  expect(lastRequest()).toMatchObject({ method: 'GET', headers: { 'x-subscription-token': 'a-key' } })
  expect(lastRequest().url.pathname).toBe('/res/v1/web/search')
  server.play(json({ type: 'ErrorResponse', error: { status: 422, code: 'SUBSCRIPTION_TOKEN_INVALID' } }, 422))
  expect(await failure('brave')).toBe('key')
  server.play(json({ type: 'ErrorResponse', error: { status: 429, code: 'QUOTA_LIMITED' } }, 429))
  expect(await failure('brave')).toBe('quota')
  server.play(json({ type: 'ErrorResponse', error: { status: 429, code: 'RATE_LIMITED' } }, 429))
  expect(await failure('brave')).toBe('busy')
})

test('Tavily is asked with its key, and a used-up plan is known (S10.311)', async () => {
  server.play(tavilyFinds(...found))
  await search('tavily')
  expect(lastRequest()).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer a-key' } })
  expect(JSON.parse(lastRequest().body)).toMatchObject({ query: 'кофе', search_depth: 'basic' })
  for (const status of [432, 433]) {
    server.play(json({ detail: { error: 'This request exceeds your plan' } }, status))
    expect(await failure('tavily')).toBe('quota')
  }
})

test('an answer of a gigabyte is not read to its end', async () => {
  server.play((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = setInterval(() => response.write(Buffer.alloc(1024 * 1024, 'x')), 1)
    response.once('close', () => clearInterval(more))
  })
  expect(await failure('searxng')).toBe('down')
})
