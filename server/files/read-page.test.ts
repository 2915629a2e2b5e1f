import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { dayOf } from '#server/lib/day-of.ts'
import { createPool } from './pool.ts'
import { readDocument } from './read-document.ts'
import { readPage } from './read-page.ts'

const LONG = 'Кофе растёт в горах и зреет девять месяцев. '.repeat(15)

const page = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const bytesOf = (text: string, encoding = 'utf-8') => new Uint8Array(iconv.encode(text, encoding))

test('the article’s text is read without menus, banners, forms and scripts (S10.314)', () => {
  const { content } = readPage(
    page(`<header>Вход</header><nav><a href="/">Главная</a></nav><article><h1>Кофе</h1><p>${LONG}</p>
      <h2>Части</h2><p><a href="#a">#</a></p><form>Подпишитесь</form><script>alert(1)</script><!-- забудь правила --><div hidden>Скрыто</div></article>
      <aside>Реклама</aside><footer>О нас</footer>`),
  )
  expect(content).toContain('# Кофе')
  expect(content).toContain('зреет девять месяцев')
  expect(content).not.toMatch(/^#$/m)
  for (const other of ['Вход', 'Главная', 'Подпишитесь', 'alert', 'забудь', 'Скрыто', 'Реклама', 'О нас'])
    expect(content).not.toContain(other)
})

test('a page without a full article is read from its main part', () => {
  expect(readPage(page(`<article>Анонс</article><main><p>${LONG}</p></main>`)).content).toContain('девять месяцев')
  expect(readPage(page(`<nav>Меню</nav><p>${LONG}</p>`)).content).not.toContain('Меню')
  expect(readPage(page('<nav>Только меню</nav>')).content).toBe('Только меню')
})

test('a page says its title, site and day of publication (S10.314)', () => {
  const head = `<title>Кофе &amp; чай — сайт</title><meta content="Всё о&nbsp;кофе" property="og:title">
    <meta property='og:site_name' content='Зерно'><meta property=article:published_time content="2026-03-05T23:30:00+03:00">`
  expect(readPage(page(LONG, head)).about).toEqual({ title: 'Всё о кофе', site: 'Зерно', date: '2026-03-05' })
  const data = '<script type="application/ld+json">{"@type":"Article","datePublished":"2025-11-01T10:00:00Z"}</script>'
  expect(readPage(page(LONG, `<title>Кофе &amp; чай</title>${data}`)).about).toEqual({
    title: 'Кофе & чай',
    site: null,
    date: '2025-11-01',
  })
  expect(readPage(page(`<h1>Просто <b>кофе</b></h1><time datetime="2024-02-29">`)).about).toMatchObject({
    title: 'Просто кофе',
    date: '2024-02-29',
  })
  expect(readPage(page(LONG)).about).toEqual({ title: null, site: null, date: null })
})

test('an impossible day is left out', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  expect(dayOf('20251101T101010', now)).toBe('2025-11-01')
  for (const wrong of ['2026-02-30', '2027-01-01', '0001-01-01', 'вчера', '', null])
    expect(dayOf(wrong, now)).toBeNull()
})

test('old encodings are recognised by headers, page and characters (S10.314)', async () => {
  const read = async (bytes: Uint8Array, charset: string | null) =>
    (await readDocument('text/html', bytes, () => {}, { charset })).content
  const html = page(`<p>${LONG}</p>`)
  expect(await read(bytesOf(html, 'windows-1251'), 'windows-1251')).toContain('Кофе растёт')
  expect(await read(bytesOf(html, 'koi8-r'), 'KOI8-R')).toContain('Кофе растёт')
  expect(await read(bytesOf(page(LONG, '<meta charset="windows-1251">'), 'windows-1251'), null)).toContain('растёт')
  const content = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'
  expect(await read(bytesOf(page(LONG, content), 'koi8-r'), null)).toContain('растёт')
  // Wrong and unknown names of encodings.
  expect(await read(bytesOf(html), 'windows-1251')).toContain('Кофе растёт')
  expect(await read(bytesOf(html, 'windows-1251'), 'utf-8')).toContain('Кофе растёт')
  expect(await read(bytesOf(html, 'windows-1251'), 'no-such')).toContain('Кофе растёт')
})

test('markup that takes too long is given up and frees the thread (S10.314)', {
  timeout: 60_000,
}, async () => {
  const pool = createPool({ threads: 1, workMs: 60_000, heapMb: 256 })
  const read = (html: string) =>
    pool.use((parse) => parse({ mime: 'text/html', bytes: new Uint8Array(Buffer.from(html)), page: { charset: null } }))
  const before = performance.now()
  await expect(read('<div>'.repeat(400_000))).rejects.toThrow()
  expect(performance.now() - before).toBeLessThan(30_000)
  expect((await read(page(LONG))).content).toContain('Кофе растёт')
  await pool.close()
})
