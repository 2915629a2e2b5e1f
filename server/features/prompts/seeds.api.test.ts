import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePrompt } from '#contract/prompt-variables.ts'
import { promptsApi } from '#contract/prompts.ts'
import { prompts } from '#server/db/schema.ts'
import { contentPath } from '#server/lib/content.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { emptyTrash } from './prompts.ts'
import { linksIn, makeSeeds, type PromptSeed, publishBuiltInPrompts, readSeeds } from './seeds.ts'

describe('the prompts that come with the product', () => {
  const { seeds, problems } = readSeeds(contentPath('prompts'))

  test('are at least 40, in at least 8 categories of 3 (S10.141)', () => {
    expect(problems).toEqual([])
    expect(seeds.length).toBeGreaterThanOrEqual(40)
    const categories = new Set(seeds.map(({ category }) => category))
    expect(categories.size).toBeGreaterThanOrEqual(8)
    for (const name of categories) {
      expect(seeds.filter(({ category }) => category === name).length, name).toBeGreaterThanOrEqual(3)
    }
  })

  test('have descriptions and variables of every kind', () => {
    const variables = seeds.flatMap(({ content }) => parsePrompt(content).variables)
    expect(new Set(variables.map(({ type }) => type))).toEqual(new Set(['строка', 'текст', 'число', 'дата', 'выбор']))
    for (const { key, title, description, content } of seeds) {
      expect(content.length, key).toBeGreaterThan(300)
      expect(title.length, key).toBeLessThanOrEqual(40)
      expect(description.length, key).toBeLessThanOrEqual(80)
      expect(parsePrompt(content).variables.length, key).toBeGreaterThan(0)
    }
  })
})

test('a bad file is reported with the reason', () => {
  const page = (head: string, text: string) => `---\n${head}\n---\n\n${text}\n`
  const head = 'title: Имя\ndescription: О чём\norder: 1'
  const { seeds, problems } = makeSeeds(
    [
      ['good/one', page(head, 'Текст {{а}}')],
      ['good/two', page('title: Без порядка\ndescription: О чём', 'Текст')],
      ['good/three', page(head, '')],
      ['good/four', page(head.replace('Имя', 'Четвёртый'), 'Текст {{а:цвет}}')],
      ['lost/five', page(head, 'Текст')],
      ['good/six', page(head, 'Ещё один')],
    ],
    { good: 'Хорошие' },
  )
  expect(seeds.map(({ key }) => key)).toEqual(['good/one', 'good/four', 'good/six'])
  expect(problems).toEqual([
    'good/two: no good order',
    'good/three: no good content',
    expect.stringContaining('good/four: {{а:цвет}}: нет типа «цвет»'),
    'lost/five: its folder is not in categories.json',
    'good/six: there is another «Имя»',
  ])
})

test('links of a prompt are found, in Markdown and bare (S10.148)', () => {
  const content = 'Смотри [помощь](/help/money/why) и /help/chat/prompts, а ещё https://example.ru/help/x и 1/2'
  expect(linksIn({ title: '', category: '', description: 'См. /profile#balance', content })).toEqual([
    '/help/money/why',
    '/profile#balance',
    '/help/chat/prompts',
  ])
})

describe('at the start of the server', () => {
  let app: TestApp
  let owner: SignedIn
  beforeAll(async () => {
    app = await startTestApp()
    owner = await app.signIn('owner@example.test')
  })
  afterAll(() => app.close())

  const seed = (key: string, content = 'Текст', more: Partial<PromptSeed> = {}): PromptSeed => ({
    key,
    title: `Промпт ${key}`,
    description: 'Зачем',
    content,
    category: 'С продуктом',
    position: 1,
    ...more,
  })
  const start = (...seeds: PromptSeed[]) => publishBuiltInPrompts(app.db, seeds)
  const find = async (key: string) =>
    (await owner.call(promptsApi.list, { query: { category: 'С продуктом', limit: 200 } })).find(
      ({ title }) => title === `Промпт ${key}`,
    )

  test('the prompts are published without an owner, only once', async () => {
    await start(seed('a'), seed('b', 'Текст', { position: 2 }))
    const before = await app.db.select().from(prompts)
    expect(before).toHaveLength(2)
    expect(before[0]).toMatchObject({ userId: null, changedBy: null, published: true })
    const anna = await app.signIn()
    const seen = await anna.call(promptsApi.list, { query: { sort: 'order' } })
    expect(seen.map(({ title, position }) => [title, position])).toEqual([
      ['Промпт a', 1],
      ['Промпт b', 2],
    ])
    await start(seed('a'), seed('b', 'Текст', { position: 2 }))
    expect(await app.db.select().from(prompts)).toEqual(before)
  })

  test('a changed seed updates the prompt and stores a version', async () => {
    await start(seed('новый', 'Первый'))
    const { id = '' } = (await find('новый')) ?? {}
    await owner.call(promptsApi.update, { params: { id }, body: { published: false } })
    await start(seed('новый', 'Второй'))
    const [row] = await app.db.select().from(prompts).where(eq(prompts.id, id))
    expect(row).toMatchObject({ content: 'Второй', version: 2, published: false })
    const history = await owner.call(promptsApi.versions, { params: { id } })
    expect(history.map(({ content, by }) => [content, by])).toEqual([
      ['Второй', null],
      ['Первый', null],
    ])
  })

  test('a prompt that an administrator has changed is not updated (S10.141)', async () => {
    await start(seed('правленый', 'Первый'))
    const { id = '' } = (await find('правленый')) ?? {}
    await owner.call(promptsApi.update, { params: { id }, body: { content: 'Наш' } })
    await start(seed('правленый', 'Второй'))
    await start(seed('правленый', 'Третий'))
    expect(await find('правленый')).toMatchObject({ content: 'Наш', version: 2 })
  })

  test('a deleted prompt is never created again (S10.141)', async () => {
    await start(seed('удалённый'))
    const { id = '' } = (await find('удалённый')) ?? {}
    await owner.call(promptsApi.delete, { params: { id } })
    await start(seed('удалённый', 'Новее'))
    expect(await find('удалённый')).toBeUndefined()
    await emptyTrash(app.db, Date.now() + 31 * 86_400_000)
    await start(seed('удалённый', 'Ещё новее'))
    expect(await find('удалённый')).toBeUndefined()
  })
})
