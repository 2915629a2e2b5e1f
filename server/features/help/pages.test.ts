import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { contentPath } from '#server/lib/content.ts'
import { renderMarkdown } from './markdown.ts'
import { brokenLinks, makeHelp, readHelp } from './pages.ts'

const sections = [
  { folder: 'start', title: 'Начало' },
  { folder: 'money', title: 'Деньги' },
]
const page = (order: number, text = 'Текст.', more = '') =>
  `---\ntitle: Страница ${order}\ndescription: О чём она\norder: ${order}\n${more}---\n\n${text}\n`

test('pages are sorted by section, then by order', () => {
  const { pages, problems } = makeHelp(
    [
      ['money/b', page(2)],
      ['money/a', page(3)],
      ['start/z', page(1, 'Текст.', 'open: true\n')],
    ],
    sections,
    renderMarkdown,
  )
  expect(problems).toEqual([])
  expect(pages.map(({ slug, section, open }) => [slug, section, open])).toEqual([
    ['start/z', 'Начало', true],
    ['money/b', 'Деньги', false],
    ['money/a', 'Деньги', false],
  ])
})

test('unrenderable pages are left out, pages without a field shown, both reported', () => {
  const { pages, problems } = makeHelp(
    [
      ['start/broken', page(1, '<b>HTML</b>')],
      ['start/bare', '---\ntitle: Без описания\norder: 1\n---\n\nТекст.'],
      ['lost/page', page(1)],
    ],
    sections,
    renderMarkdown,
  )
  expect(pages.map(({ slug, title }) => [slug, title])).toEqual([
    ['lost/page', 'Страница 1'],
    ['start/bare', 'Без описания'],
  ])
  expect(problems).toEqual([
    expect.stringContaining('start/broken: no such block'),
    'start/bare: no good description in the front matter',
    'lost/page: its folder is not in sections.json',
  ])
})

test('links to missing pages, headings, screens and profile sections are reported (S10.105, S10.148)', () => {
  const text = [
    '## Раз',
    '[1](/help/money/a#raz) [2](/help/money/a#net) [3](/help/none) [4](#raz) [5](#dva)',
    '[6](/profile#balance) [7](/profile#none) [12](/profile/account#email) [13](/profile#email) [8](/images) [9](/nowhere) [10](https://example.ru) [11](/api/docs)',
  ]
  const { pages } = makeHelp([['money/a', page(1, text.join('\n\n'))]], sections, renderMarkdown)
  expect(brokenLinks(pages)).toEqual([
    'money/a: /help/money/a#net leads nowhere',
    'money/a: /help/none leads nowhere',
    'money/a: #dva leads nowhere',
    'money/a: /profile#none leads nowhere',
    'money/a: /profile#email leads nowhere',
    'money/a: /nowhere leads nowhere',
  ])
})

test('pages for customers do not lead to pages for owners (S10.1550)', () => {
  const owners = [...sections, { folder: 'owners', title: 'Владельцу', for: 'admins' as const }]
  const links = '[1](/help/owners/admin) [2](/admin/models)'
  const { pages } = makeHelp(
    [
      ['money/a', page(1, links)],
      ['owners/admin', page(1, links)],
    ],
    owners,
    renderMarkdown,
  )
  expect(brokenLinks(pages)).toEqual([
    'money/a: /help/owners/admin leads nowhere',
    'money/a: /admin/models leads nowhere',
  ])
})

test('the help has at least twenty pages, with those about payments (S10.105)', async () => {
  const slugs = (await readHelp(contentPath('help'))).pages.map(({ slug }) => slug)
  expect(slugs.length).toBeGreaterThanOrEqual(20)
  expect(slugs).toEqual(
    expect.arrayContaining(['money/how-symbols-are-counted', 'money/why', 'money/cancel-subscription']),
  )
})

test('each provider has a page: registration or key, settings, check, usual errors (S10.301)', async () => {
  const { pages } = await readHelp(contentPath('help'))
  for (const name of ['openai', 'yandex', 'gigachat', 'anthropic', 'gemini']) {
    const text = pages.find(({ slug }) => slug === `owners/providers-${name}`)?.html ?? ''
    for (const part of ['_API_KEY=', 'Проверка', 'Частые ошибки']) expect(text, name).toContain(part)
  }
})

test('the page about support names the configured address or its absence (S10.176, S10.567)', async () => {
  const textOf = async (email: string | null) =>
    (await readHelp(contentPath('help'), { supportEmail: email })).pages.find(({ slug }) => slug === 'account/support')
      ?.html ?? ''
  expect(await textOf('help@example.test')).toContain('<a href="mailto:help@example.test">help@example.test</a>')
  expect(await textOf(null)).toContain('не указал адрес поддержки')
})

test('help names the zone of the days by the country (S10.1552)', async () => {
  for (const [country, zone] of [
    ['RU', 'полуночи по Москве'],
    ['BY', 'полуночи по Минску'],
  ] as const) {
    const { pages } = await readHelp(contentPath('help'), { country })
    expect(pages.find(({ slug }) => slug === 'money/save')?.html).toContain(zone)
    expect(pages.filter(({ html, parts }) => `${html}${JSON.stringify(parts)}`.includes('%ZONE%'))).toEqual([])
  }
})

test('guides of programs name the address of this installation, ready to copy (S10.984, S10.1049)', async () => {
  const { pages } = await readHelp(contentPath('help'), { appUrl: 'https://chat.example' })
  const guides = pages.filter(({ slug }) => slug.startsWith('programs/'))
  for (const { slug, html } of guides) {
    expect(html, slug).toContain('https://chat.example/v1')
    expect(html, slug).not.toContain('%BASE_URL%')
    expect(html, slug).toContain('data-copy')
  }
  expect(guides.filter(({ html }) => html.includes('<figure data-form>'))).toHaveLength(5)
  const others = ['codex', 'opencode', 'qwen-code', 'ai-sdk']
  for (const name of ['cline', 'continue', 'n8n', 'librechat', 'open-webui', 'scripts', ...others])
    expect(guides.find(({ slug }) => slug === `programs/${name}`)?.html, name).toContain('<img src="/assets/help/')
})

test('help names the settings of a chat as the profile does (S10.222)', () => {
  const screens = ['chat-settings', 'personal-settings'].map((name) =>
    readFileSync(new URL(`../../../web/features/users/${name}.tsx`, import.meta.url), 'utf8'),
  )
  const labels = new Set(screens.flatMap((source) => [...source.matchAll(/label="([^"]+)"/g)].map(([, name]) => name)))
  for (const page of ['how-symbols-are-counted', 'save', 'why']) {
    const text = readFileSync(new URL(`money/${page}.md`, `${pathToFileURL(contentPath('help'))}/`), 'utf8')
    const settings = [...text.matchAll(/«((?:Помнить|Сколько сообщений|Что обо мне|Как мне)[^»]*)»/g)].map(
      ([, name]) => name,
    )
    expect(settings.length).toBeGreaterThan(0)
    expect(settings.filter((name) => !labels.has(name))).toEqual([])
    expect(text).not.toMatch(/длин\S+ истори|истори\S+ (чата )?(в|вы)ключ|переводы/)
  }
})
