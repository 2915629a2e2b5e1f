import { expect, test } from 'vitest'
import { helpApi } from '#contract/help.ts'
import { helpFeedback } from '#server/db/schema.ts'
import { contentPath } from '#server/lib/content.ts'
import { testApp } from '#server/testing/app.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { renderMarkdown } from './markdown.ts'
import { makeHelp, readHelp, visiblePagesOf } from './pages.ts'
import { searchHelp } from './search.ts'

const page = (title: string, order: number, text: string, more = '') =>
  `---\ntitle: ${title}\ndescription: Коротко о главном\norder: ${order}\n${more}---\n\n${text}\n`

const help = makeHelp(
  [
    [
      'money/refunds',
      page(
        'Возврат денег',
        1,
        'Напишите нам.\n\n## Сколько ждать\n\nВсё решает банк.',
        'open: true\nwords: отказаться от покупки\n',
      ),
    ],
    ['money/promo', page('Промокоды', 2, 'Код вводится в профиле.\n\n## Код не подошёл\n\nПроверьте буквы и срок.')],
    ['money/counting', page('Как считаются символы', 3, 'Счёт ведёт сервер.\n\n## Надёжно ли это\n\nЕщё как.')],
    ['account/terms', page('Условия', 1, 'Правила: символы и возврат.', 'open: true\n')],
    ['owners/admin', page('Управление', 1, 'Настройка RECEIPT_TAX_SYSTEM и налог.')],
    ['owners/mail', page('Почта', 2, 'Настройка SMTP.')],
  ],
  [
    { folder: 'money', title: 'Деньги' },
    { folder: 'account', title: 'Аккаунт' },
    { folder: 'owners', title: 'Владельцу', for: 'admins' },
  ],
  renderMarkdown,
)

const app = await testApp({ help })
const anna = await app.signIn()
const stranger = app.visitor()

const search = (who: Visitor, query: string) => who.call(helpApi.search, { query: { query } })
const slugs = (found: { slug: string }[]) => found.map(({ slug }) => slug)
const open = (who: Visitor, slug: string) => who.call(helpApi.page, { params: { slug } })

test('the contents are in reading order, with only open pages for strangers', async () => {
  const all = await anna.call(helpApi.list, {})
  expect(slugs(all)).toEqual(['money/refunds', 'money/promo', 'money/counting', 'account/terms'])
  expect(all[0]).toEqual({
    slug: 'money/refunds',
    title: 'Возврат денег',
    description: 'Коротко о главном',
    section: 'Деньги',
    open: true,
    forAdmins: false,
  })
  expect(slugs(await stranger.call(helpApi.list, {}))).toEqual(['money/refunds', 'account/terms'])
})

test('a slug of two segments opens its page with headings and neighbours (S2.40)', async () => {
  const answer = await anna.fetch('/api/help/pages/money%2Fpromo')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({
    slug: 'money/promo',
    title: 'Промокоды',
    description: 'Коротко о главном',
    html: expect.stringContaining('<h2 id="kod-ne-podoshel">Код не подошёл</h2>'),
    headings: [{ id: 'kod-ne-podoshel', text: 'Код не подошёл', level: 2 }],
    previous: { slug: 'money/refunds', title: 'Возврат денег' },
    next: { slug: 'money/counting', title: 'Как считаются символы' },
    useful: null,
  })
})

test('the first page has nothing before it, the last nothing after it', async () => {
  expect(await open(anna, 'money/refunds')).toMatchObject({ previous: null, next: { slug: 'money/promo' } })
  expect(await open(anna, 'account/terms')).toMatchObject({ previous: { slug: 'money/counting' }, next: null })
})

test('an unknown page is a 404, also without a session (S10.102)', async () => {
  const nowhere = { status: 404, code: 'not_found', message: 'Такой страницы помощи нет' }
  await expect(open(anna, 'money/none')).rejects.toMatchObject(nowhere)
  await expect(open(stranger, 'money')).rejects.toMatchObject(nowhere)
})

test('strangers can read open pages but not closed pages', async () => {
  expect(await open(stranger, 'money/refunds')).toMatchObject({
    previous: null,
    next: { slug: 'account/terms' },
    useful: null,
  })
  await expect(open(stranger, 'money/promo')).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
})

test('a page is found by other word forms, with the matching part (S10.104)', async () => {
  expect(await search(anna, 'ПРОВЕРИТЬ букву')).toEqual([
    {
      slug: 'money/promo',
      title: 'Промокоды',
      forAdmins: false,
      heading: { id: 'kod-ne-podoshel', text: 'Код не подошёл' },
      fragment: [
        { text: 'Проверьте', hit: true },
        { text: ' ', hit: false },
        { text: 'буквы', hit: true },
        { text: ' и срок.', hit: false },
      ],
    },
  ])
  expect(slugs(await search(anna, 'деньги вернули банком'))[0]).toBe('money/refunds')
})

test('е and ё are equal in search, and texts keep their spelling (S10.104)', async () => {
  const [byYe] = await search(anna, 'счет')
  expect(byYe).toMatchObject({ slug: 'money/counting', heading: null })
  expect(byYe?.fragment).toContainEqual({ text: 'Счёт', hit: true })
  expect(slugs(await search(anna, 'надёжно'))).toEqual(['money/counting'])
})

test('a page is found by its synonyms', async () => {
  expect(slugs(await search(anna, 'отказаться от покупки'))).toEqual(['money/refunds'])
})

test('a word is found by its prefix', async () => {
  expect(slugs(await search(anna, 'промок'))).toEqual(['money/promo'])
})

test('pages with all words come before pages with some words', async () => {
  const [first, ...others] = slugs(await search(anna, 'возвраты символов'))
  expect(first).toBe('account/terms')
  expect(others.toSorted()).toEqual(['money/counting', 'money/refunds'])
})

test('without a session only open pages are found', async () => {
  expect(await search(stranger, 'промокод')).toEqual([])
  expect(slugs(await search(stranger, 'деньги'))).toEqual(['money/refunds'])
})

test('punctuation, stop words and an empty query find nothing', async () => {
  for (const query of ['', '   ', '!!! & | :*', "'", 'и', '<b>', 'несуществующее']) {
    expect(await search(anna, query)).toEqual([])
  }
  await expect(search(anna, 'а'.repeat(101))).rejects.toMatchObject({ status: 400, field: 'query' })
})

test('feedback is stored once per user and page, and can be changed (S10.107)', async () => {
  const boris = await app.signIn()
  const slug = 'money/promo'
  expect(await boris.call(helpApi.feedback, { body: { slug, useful: true } })).toEqual({ slug, useful: true })
  expect(await open(boris, slug)).toMatchObject({ useful: true })
  await boris.call(helpApi.feedback, { body: { slug, useful: false } })
  expect(await open(boris, slug)).toMatchObject({ useful: false })
  expect(await open(anna, slug)).toMatchObject({ useful: null })
  const rows = await app.db.select().from(helpFeedback)
  expect(rows.filter(({ userId }) => userId === boris.user.id)).toHaveLength(1)
})

test('feedback needs an existing page and a session', async () => {
  const body = { slug: 'money/none', useful: true }
  await expect(anna.call(helpApi.feedback, { body })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.call(helpApi.feedback, { body })).rejects.toMatchObject({ status: 401 })
})

test('pages for owners are read and found by admins only (S10.1550)', async () => {
  const owner = await app.signIn('owner@example.test')
  const nowhere = { status: 404, code: 'not_found' }
  for (const slug of ['owners/admin', 'owners/mail']) {
    expect(slugs(await anna.call(helpApi.list, {}))).not.toContain(slug)
    await expect(open(anna, slug)).rejects.toMatchObject(nowhere)
    await expect(open(stranger, slug)).rejects.toMatchObject({ status: 401 })
    await expect(anna.call(helpApi.feedback, { body: { slug, useful: true } })).rejects.toMatchObject(nowhere)
    expect((await open(owner, slug)).slug).toBe(slug)
  }
  expect(await search(anna, 'налог')).toEqual([])
  expect(await search(owner, 'налог')).toMatchObject([{ slug: 'owners/admin', forAdmins: true }])
})

test('previous and next do not lead from customers to owners (S10.1550)', async () => {
  const owner = await app.signIn('owner@example.test')
  expect(await open(owner, 'account/terms')).toMatchObject({ next: null })
  expect(await open(owner, 'owners/admin')).toMatchObject({ previous: null, next: { slug: 'owners/mail' } })
})

test('«вернуть деньги» finds the page of refunds first (S10.1550)', async () => {
  const pages = visiblePagesOf((await readHelp(contentPath('help'))).pages, {
    ...{ id: 's', impersonatedBy: null },
    user: { ...anna.user, role: 'user' },
  })
  const found = slugs(await searchHelp(app.db, pages, 'вернуть деньги'))
  expect(found[0]).toBe('money/refunds')
  expect(found.filter((slug) => slug.startsWith('owners/'))).toEqual([])
})
