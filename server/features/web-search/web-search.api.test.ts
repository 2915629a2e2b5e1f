import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linksIn, type WebStage } from '#contract/web-search.ts'
import { createPool, type Pool } from '#server/files/pool.ts'
import { fetchPage, type PageRequest } from '#server/internet/fetch-page.ts'
import { SearchError, type SearchResult } from '#server/internet/search.ts'
import { type FakeWeb, startFakeWeb } from '#server/internet/testing/fake-web.ts'
import { contentPath } from '#server/lib/content.ts'
import { openLog } from '#server/lib/log.ts'
import { demoAnswer } from '#server/llm/demo.ts'
import { readQueryRequest } from '#server/llm/demo-prompts.ts'
import type { Llm } from '#server/llm/llm.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { readHelp } from '../help/pages.ts'
import { demoWeb } from './demo-web.ts'
import type { WebDeps } from './deps.ts'
import { cleanQuery, findInWeb, plainQuery, type WebRequest, writeQuery } from './find-in-web.ts'
import { choosePassages, type ReadPage, readPages, wholePages } from './read-pages.ts'

let database: TestDatabase
let pool: Pool
let web: FakeWeb
beforeAll(async () => {
  database = await openTestDatabase()
  pool = createPool({ threads: 2, workMs: 20_000, heapMb: 256 })
  web = await startFakeWeb({ '/coffee': article('Кофе', about('Обжарка зерна')) })
})
afterAll(async () => {
  await web.close()
  await pool.close()
  await database.close()
})

const forever = new AbortController().signal
const about = (what: string, times = 12) => `${what} подробно описано в этой статье для читателей. `.repeat(times)
const article = (title: string, ...paragraphs: string[]) =>
  `<title>${title}</title><meta property="article:published_time" content="2026-05-01"><article><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article>`
const deps = () => ({
  pool,
  fetchPage: (url: string, signal: AbortSignal, request: PageRequest) =>
    fetchPage(url, signal, request, { reach: web.reach }),
})

describe('pages', () => {
  test('are read in parallel, with title, site and day; failures are skipped', async () => {
    web.put('/coffee', article('Кофе', about('Обжарка зерна')))
    web.put('/tea', article('Чай', about('Заварка листа')))
    const wanted = ['/coffee', '/absent', '/tea'].map((path) => ({ url: web.at(path) }))
    const pages = await readPages(deps(), wanted, 6, 'someone', forever)
    expect(pages.map(({ title, site, date }) => ({ title, site, date }))).toEqual([
      { title: 'Кофе', site: 'site.example', date: '2026-05-01' },
      { title: 'Чай', site: 'site.example', date: '2026-05-01' },
    ])
    expect(pages[0]?.content).toContain('Обжарка зерна')
  })

  test('beyond the wanted number are not requested', async () => {
    const before = web.requests.length
    const wanted = Array.from({ length: 10 }, () => ({ url: web.at('/coffee') }))
    expect(await readPages(deps(), wanted, 2, 'someone', forever)).toHaveLength(2)
    expect(web.requests.length - before).toBe(2)
  })

  test('that are slow do not delay the rest', async () => {
    web.put('/hangs', () => {})
    const wanted = ['/hangs', '/coffee', '/hangs'].map((path) => ({ url: web.at(path) }))
    const pages = await readPages(deps(), wanted, 3, 'someone', forever, 2000)
    expect(pages.map(({ title }) => title)).toEqual(['Кофе'])
  })

  test('are abandoned when the answer is stopped', async () => {
    const stop = new AbortController()
    const reading = readPages(deps(), [{ url: web.at('/hangs') }], 1, 'someone', stop.signal)
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
  })
})

describe('passages', () => {
  const page = (title: string, ...paragraphs: string[]): ReadPage => ({
    ...{ url: `https://${title}.example/`, site: title, title, date: null, pages: [] },
    content: paragraphs.join('\n\n'),
  })
  const filler = Array.from({ length: 20 }, (_, n) => about(`Посторонний раздел номер ${n}`, 20))

  test('that fit the question are chosen by word forms (S10.315)', async () => {
    const pages = [page('а', ...filler, about('Ставки налога на имущество', 20)), page('б', ...filler)]
    const [best] = await choosePassages(database.db, 'Какой ставкой облагается имущество?', pages, 2000)
    expect(best).toMatchObject({ url: 'https://а.example/' })
    expect(best?.text).toContain('налога на имущество')
  })

  test('stay within the budget, and no page displaces the others (S10.315)', async () => {
    const much = Array.from({ length: 20 }, (_, n) => about(`Налог на имущество, часть ${n}`, 20))
    const pages = [page('а', ...much), page('б', ...filler, about('Налог на имущество', 20))]
    const chosen = await choosePassages(database.db, 'налог на имущество', pages, 12_000)
    expect(chosen.filter(({ site }) => site === 'а')).toHaveLength(3)
    expect(chosen.some(({ site }) => site === 'б')).toBe(true)
    const few = await choosePassages(database.db, 'налог на имущество', pages, 3000)
    expect(few.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(3000)
  })

  test('of pages without the question’s words are their beginnings', async () => {
    const chosen = await choosePassages(
      database.db,
      'абракадабра',
      [page('а', about('Кофе')), page('б', about('Чай'))],
      5000,
    )
    expect(chosen.map(({ site }) => site)).toEqual(['а', 'б'])
  })

  test('of a named page are all of it, or its fitting parts', async () => {
    const short = page('а', about('Кофе', 30), about('Чай', 30))
    const whole = await wholePages(database.db, 'О чём это?', [short], 12_000)
    expect(whole.map(({ text }) => text).join('')).toContain('Чай')
    const long = page('б', about('Начало', 20), ...filler, about('Ставки налога', 20))
    const chosen = await wholePages(database.db, 'Какие ставки налога?', [long], 6000)
    expect(chosen[0]?.text).toContain('Начало')
    expect(chosen.at(-1)?.text).toContain('Ставки налога')
    expect(chosen.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(6000)
  })
})

const says =
  (text: string): Llm =>
  async (_request, _signal, onText) => {
    onText(text)
    return { reason: 'stop', usage: null }
  }
const model = (llm: Llm) => ({ llm, model: 'vendor/fast', thinks: false, userId: 'someone' })

describe('the query', () => {
  const questionWithHistory = {
    question: 'А для двоих?',
    history: [{ role: 'user' as const, content: 'Сколько стоит виза в Сербию?' }],
  }

  test('is written by the model from the conversation, with the day (S10.312)', async () => {
    const llm = vi.fn(says('Запрос: «цена визы в Сербию на двоих 2026».\nПояснение'))
    const query = await writeQuery(model(llm), questionWithHistory, forever, { now: new Date('2026-11-16T10:00:00Z') })
    expect(query).toBe('цена визы в Сербию на двоих 2026')
    const { messages } = llm.mock.calls[0]?.[0] ?? { messages: [] }
    expect(messages[0]?.content).toContain('16 ноября 2026')
    expect(messages[1]?.content).toContain('Сколько стоит виза в Сербию?')
    expect(readQueryRequest(messages)).toBe('А для двоих?')
    expect(demoAnswer(messages)).toBe('А для двоих?')
  })

  test('is requested from a thinking model without thinking', async () => {
    const llm = vi.fn(says('виза'))
    await writeQuery({ ...model(llm), thinks: true }, questionWithHistory, forever)
    expect(llm.mock.calls[0]?.[0]).toMatchObject({ thinking: 'none' })
  })

  test('is the question itself when the model fails or stays silent (S10.312)', async () => {
    const own = 'Сколько стоит виза в Сербию? А для двоих?'
    const fails: Llm = async () => {
      throw new Error('down')
    }
    const hangs: Llm = (_request, signal) =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    expect(await writeQuery(model(fails), questionWithHistory, forever)).toBe(own)
    expect(await writeQuery(model(hangs), questionWithHistory, forever, { ms: 50 })).toBe(own)
    expect(await writeQuery(model(says('  «»  ')), questionWithHistory, forever)).toBe(own)
  })

  test('is abandoned when the answer is stopped', async () => {
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(
      writeQuery(
        model(async () => Promise.reject(new Error('x'))),
        questionWithHistory,
        stop.signal,
      ),
    ).rejects.toThrow('stopped')
  })

  test('is a single short line', () => {
    expect(cleanQuery('**Запрос:** курс рубля')).not.toContain('\n')
    expect(cleanQuery('слово '.repeat(100)).length).toBeLessThanOrEqual(200)
    expect(plainQuery({ question: 'Что тут? https://site.example/a', history: [] })).toBe('Что тут?')
  })
})

describe('a search', () => {
  const results = (...paths: string[]): SearchResult[] =>
    paths.map((path) => ({ url: web.at(path), title: path, snippet: '', date: null }))
  const find = async (search: WebDeps['search'], request: Partial<WebRequest> = {}) => {
    const stages: WebStage[] = []
    const findings = await findInWeb(
      database.db,
      { ...deps(), search, price: 1500, log: openLog('silent') },
      {
        ...{ question: 'Как обжарить зерно?', history: [], search: true, pages: [], most: 12_000 },
        model: model(says('обжарка зерна')),
        mask: (query) => query,
        onSearched: async () => {},
        ...request,
      },
      forever,
      (stage) => stages.push(stage),
    )
    return { ...findings, stages }
  }

  test('sends its stages, and gives passages of the pages it found', async () => {
    web.put('/coffee', article('Кофе', about('Обжарка зерна')))
    const { passages, query, found, stages } = await find(async () => results('/coffee', '/absent'))
    expect({ query, found }).toEqual({ query: 'обжарка зерна', found: 1 })
    expect(passages).toEqual([expect.objectContaining({ url: web.at('/coffee'), title: 'Кофе', date: '2026-05-01' })])
    expect(stages).toEqual([
      { type: 'search', query: '' },
      { type: 'search', query: 'обжарка зерна' },
      { type: 'read', pages: 2 },
    ])
  })

  test.each([
    ['finds nothing', async () => []],
    ['finds pages that cannot be read', async () => results('/absent')],
    ['fails', () => Promise.reject(new SearchError('quota'))],
    ['fails in an unknown way', () => Promise.reject(new Error('x'))],
  ])('that %s gives no passages and is not charged', async (_, search) => {
    expect(await find(search)).toMatchObject({ passages: [], found: 0, query: 'обжарка зерна' })
  })

  test('gives only storable text, however strange the pages and query (S10.315)', async () => {
    const title = `${'а'.repeat(299)}😀`
    web.put('/strange', article(title, `${about('Обжарка зерна')} ${'😀'.repeat(25_000)}`))
    const wrong = `https://a.example/\ud83d`
    const strange = { model: model(says('обжарка\0 зерна \ud83d')), pages: [wrong] }
    const { stages, ...findings } = await find(async () => results('/strange'), strange)
    expect(findings).toMatchObject({ found: expect.any(Number), unread: ['https://a.example/\ufffd'] })
    expect(findings.passages.length).toBeGreaterThan(0)
    const stored = await database.db.execute(sql`select ${JSON.stringify(findings)}::text::jsonb as findings`)
    expect((stored as { rows: unknown[] }).rows).toEqual([{ findings }])
  })

  test('is not made without an engine', async () => {
    expect(await find(null)).toMatchObject({ passages: [], found: 0, query: null })
  })

  test('is not needed for named pages; unreadable pages are named', async () => {
    const pages = [web.at('/coffee'), web.at('/absent'), 'http://169.254.169.254/']
    const { passages, unread, query, stages } = await find(null, { search: false, pages })
    expect(passages.map(({ url }) => url)).toEqual([web.at('/coffee')])
    expect(unread).toEqual([web.at('/absent'), 'http://169.254.169.254/'])
    expect({ query, stages }).toEqual({ query: null, stages: [{ type: 'read', pages: 3 }] })
  })

  test('of the demo finds help pages and reads them from memory (S10.310)', async () => {
    const { pages } = await readHelp(contentPath('help'))
    const demo = demoWeb(pages, 'http://localhost:3000')
    const [first] = await demo.search('как списываются символы за ответ', forever)
    expect(first?.url).toMatch(/^http:\/\/localhost:3000\/help\//)
    const [page] = await readPages(
      { pool, fetchPage: demo.fetchPage },
      [{ url: first?.url ?? '' }],
      1,
      'someone',
      forever,
    )
    expect(page).toMatchObject({ site: 'Демонстрационный поиск по справке', title: first?.title })
    await expect(demo.fetchPage('http://localhost:3000/api/profile', forever, { userId: 'someone' })).rejects.toThrow()
    const owners = (await demo.search('RECEIPT_TAX_SYSTEM налог администратор', forever)).map(({ url }) => url)
    expect(owners.filter((url) => url.includes('/help/owners/'))).toEqual([])
  })
})

test('addresses in a message are found without the signs around them', () => {
  expect(
    linksIn(
      'Вот https://a.example/x, и (http://b.example/y_(z)) и «https://c.example/». Снова https://a.example/x! http://localhost/ ftp://d.example',
    ),
  ).toEqual(['https://a.example/x', 'http://b.example/y_(z)', 'https://c.example/'])
  expect(linksIn('(https://site.example)')).toEqual(['https://site.example'])
})
