import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { promptsApi } from '#contract/prompts.ts'
import { type ImportFile, promptsAdminApi } from '#contract/prompts-admin.ts'
import { longestPause } from '#contract/testing/worst-texts.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()

const preview = (who: SignedIn, file: ImportFile) => who.call(promptsAdminApi.preview, { body: file })
const apply = (who: SignedIn, file: ImportFile, hash: string) =>
  who.call(promptsAdminApi.import, { body: { ...file, hash } })
const bring = async (who: SignedIn, file: ImportFile) => apply(who, file, (await preview(who, file)).hash)
const json = (rows: unknown): ImportFile => ({ format: 'json', text: JSON.stringify(rows) })
const csv = (...lines: string[]): ImportFile => ({ format: 'csv', text: lines.join('\r\n') })
const own = async (who: SignedIn) =>
  (await who.call(promptsAdminApi.table, { query: { size: 200, sort: 'title' } })).items
const exported = async (who: SignedIn, format: 'json' | 'csv', more = ''): Promise<ImportFile> => {
  const answer = await who.fetch(`${promptsAdminApi.export.path}?format=${format}${more}`)
  expect(answer.status).toBe(200)
  return { format, text: Buffer.from(await answer.arrayBuffer()).toString('utf8') }
}

test('bad rows are reported with line and reason, and others imported (S10.145)', async () => {
  const vera = await app.signIn()
  const lines = Array.from({ length: 500 }, (_, i) => `Промпт ${i};Текст ${i} про {{тема}};К${i % 8};нет`)
  lines[99] = ';Текст без названия;К1;нет'
  lines[249] = `${'Длинное '.repeat(20)};Текст;К1;нет`
  lines[499] = 'Промпт 7;Ещё раз тот же;К7;нет'
  const file = csv('Название;Текст;Категория;Опубликован', ...lines)
  const seen = await preview(vera, file)
  const bad = [
    { line: 101, title: '', reason: 'Нет названия.' },
    { line: 251, title: expect.stringContaining('Длинное'), reason: 'Название длиннее 120 знаков.' },
    { line: 501, title: 'Промпт 7', reason: 'Повторяет строку 9: тот же промпт.' },
  ]
  expect(seen.bad).toEqual(bad)
  expect(seen.items).toHaveLength(497)
  expect(new Set(seen.items.map(({ action }) => action))).toEqual(new Set(['add']))
  expect(await vera.call(promptsAdminApi.table, { query: {} })).toMatchObject({ total: 0 })
  expect((await apply(vera, file, seen.hash)).bad).toEqual(bad)
  expect(await vera.call(promptsAdminApi.table, { query: {} })).toMatchObject({ total: 497 })
  const [first] = await vera.call(promptsApi.list, { query: { view: 'own' } })
  expect(first).toMatchObject({ title: 'Промпт 0', content: 'Текст 0 про {{тема}}', category: 'К0', own: true })
})

test('a file of a megabyte is read in pieces (S10.1307)', async () => {
  const readFile = async (text: string) => (await import('./import-file.ts')).readFile({ format: 'csv', text })
  const head = 'Название;Текст\n'
  for (const rows of [';\n'.repeat(500_000), 'a;b\n'.repeat(250_000)]) {
    let refused: unknown
    const pause = await longestPause(async () => {
      refused = await readFile(head + rows).catch((error: unknown) => error)
    })
    expect(refused).toMatchObject({ code: 'bad_request', message: expect.stringContaining('2000') })
    expect(pause).toBeLessThan(200)
  }
  expect((await readFile(`${head}a;b\n${';\n'.repeat(15_000)}`)).rows).toHaveLength(1)
})

test('existing prompts are changed by id or title, with a version', async () => {
  const vera = await app.signIn()
  const make = (title: string) => vera.call(promptsApi.create, { body: { title, content: 'Было', category: 'К' } })
  const [byId, byName, same] = [await make('По номеру'), await make('По имени'), await make('Тот же')]
  const file = json([
    { id: byId.id, title: 'Иное имя', content: 'Было' },
    { title: 'по ИМЕНИ', content: 'Стало', category: 'К' },
    { id: same.id, title: 'Тот же', content: 'Было', category: 'К', description: null },
    { id: 'id-of-another-user', title: 'Новый', content: 'Привет' },
  ])
  const seen = await preview(vera, file)
  expect(seen.items.map(({ line, action, fields }) => [line, action, fields])).toEqual([
    [1, 'change', ['title']],
    [2, 'change', ['title', 'content']],
    [3, 'same', []],
    [4, 'add', []],
  ])
  await apply(vera, file, seen.hash)
  const history = await vera.call(promptsApi.versions, { params: { id: byName.id } })
  expect(history.map(({ title, content }) => [title, content])).toEqual([
    ['по ИМЕНИ', 'Стало'],
    ['По имени', 'Было'],
  ])
  expect(await vera.call(promptsApi.versions, { params: { id: same.id } })).toHaveLength(1)
  expect((await own(vera)).find(({ title }) => title === 'Новый')).toMatchObject({ category: 'Разное' })
})

test('an import that is outdated since its preview answers 409 (S10.145)', async () => {
  const vera = await app.signIn()
  const { id } = await vera.call(promptsApi.create, { body: { title: 'Общий труд', content: 'Было' } })
  const file = json([
    { title: 'Общий труд', content: 'Из файла' },
    { title: 'Второй', content: 'Из файла' },
  ])
  const { hash } = await preview(vera, file)
  await vera.call(promptsApi.update, { params: { id }, body: { content: 'Правка руками' } })
  await expect(apply(vera, file, hash)).rejects.toMatchObject({ status: 409, code: 'conflict' })
  const again = await preview(vera, file)
  const other = json([{ title: 'Общий труд', content: 'Подменённый' }])
  await expect(apply(vera, other, again.hash)).rejects.toMatchObject({ status: 409 })
  expect((await own(vera)).map(({ content }) => content)).toEqual(['Правка руками'])
  await apply(vera, file, again.hash)
  expect((await own(vera)).map(({ content }) => content)).toEqual(['Из файла', 'Из файла'])
})

test('admins import into the library, users into their own prompts', async () => {
  const file = json([{ title: 'Для всех', content: 'Текст', category: 'Библиотека', published: true }])
  await bring(owner, file)
  const common = (await anna.call(promptsApi.list, { query: { category: 'Библиотека' } }))[0]
  expect(common).toMatchObject({ title: 'Для всех', published: true, own: false })
  expect((await preview(owner, file)).items).toMatchObject([{ action: 'same' }])
  const tried = await preview(anna, file)
  expect(tried.items).toEqual([])
  expect(tried.bad).toEqual([{ line: 1, title: 'Для всех', reason: expect.stringContaining('только администратор') }])
  const stolen = json([{ id: common?.id, title: 'Моё', content: 'Перехват', category: 'Библиотека' }])
  expect((await preview(anna, stolen)).items).toMatchObject([{ action: 'add' }])
  await bring(anna, stolen)
  expect(await anna.call(promptsApi.get, { params: { id: common?.id ?? '' }, query: {} })).toMatchObject({
    content: 'Текст',
  })
})

describe('a spreadsheet is read as it was saved', () => {
  const row = { title: 'Письмо; срочное', content: 'Первая "строка"\nвторая, с запятой', category: 'Почта' }
  test.each([
    ['semicolons', ';', '\r\n'],
    ['commas', ',', '\n'],
    ['tabs', '\t', '\r\n'],
  ])('with %s (S10.145)', async (_, sign, end) => {
    const vera = await app.signIn()
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const lines = [
      ['title', 'content', 'Категория', 'лишний'],
      [row.title, row.content, row.category, 'x'].map(quoted),
      ['', '', '', ''],
      ['Второй', quoted('Ещё\nтекст'), '', ''],
      ['', 'Без имени', '', ''],
    ]
    const text = `\uFEFF${lines.map((cells) => cells.join(sign)).join(end)}`
    const { items, bad } = await bring(vera, { format: 'csv', text })
    expect(items.map(({ line, title }) => [line, title])).toEqual([
      [2, 'Письмо; срочное'],
      [5, 'Второй'],
    ])
    expect(bad).toEqual([{ line: 7, title: '', reason: 'Нет названия.' }])
    expect((await own(vera)).find(({ category }) => category === 'Почта')).toMatchObject(row)
  })

  test('an unclosed quote is a bad row, and earlier rows are imported', async () => {
    const file = csv('Название;Текст', 'Хороший;Текст', '"Плохой;Текст', 'Съеденный;Текст')
    const { items, bad } = await preview(anna, file)
    expect(items).toMatchObject([{ line: 2, title: 'Хороший' }])
    expect(bad).toEqual([{ line: 3, title: '', reason: 'Кавычка открыта и не закрыта.' }])
  })
})

describe('an unreadable file is a 400 with advice', () => {
  test.each([
    ['no JSON', { format: 'json', text: '{[' }, 'не читается как JSON'],
    ['no list', { format: 'json', text: '{"a":1}' }, 'список промптов'],
    ['nothing in it', { format: 'json', text: '[]' }, 'нет ни одного'],
    ['a column missing', { format: 'csv', text: 'Название;Категория\nА;Б' }, 'нет столбца «Текст»'],
    ['too much', json(Array.from({ length: 2001 }, () => ({ title: 'x', content: 'x' }))), 'не больше 2000'],
  ] as const)('%s', async (_, file, message) => {
    await expect(preview(anna, file)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
  })
})

test('an invalid JSON record is a bad row with its number', async () => {
  const { items, bad } = await preview(
    anna,
    json({
      prompts: [
        'строка',
        { title: 5, content: 'x' },
        { title: 'x', content: 'x', published: 'да' },
        { title: 'y', content: 'y' },
      ],
    }),
  )
  expect(items).toMatchObject([{ line: 4, title: 'y' }])
  expect(bad.map(({ line, reason }) => [line, reason])).toEqual([
    [1, expect.stringContaining('объект')],
    [2, expect.stringContaining('Название')],
    [3, expect.stringContaining('true или false')],
  ])
})

test('the export has the user’s filtered prompts and needs a session', async () => {
  const vera = await app.signIn()
  await bring(vera, json([1, 2, 3].map((n) => ({ title: `В файл ${n}`, content: `Т${n}`, category: `К${n}` }))))
  const all = JSON.parse((await exported(vera, 'json')).text)
  expect(all.prompts.map(({ title }: { title: string }) => title)).toEqual(['В файл 1', 'В файл 2', 'В файл 3'])
  const one = await exported(vera, 'csv', `&category=${encodeURIComponent('К2')}`)
  expect(one.text.trimEnd().split('\r\n')).toHaveLength(2)
  expect(one.text).toMatch(/^\uFEFFНомер;Название;Описание;Категория;Опубликован;Порядок;Текст\r\n/)
  expect((await app.visitor().fetch(promptsAdminApi.export.path)).status).toBe(401)
})

test('importing an exported file changes nothing, and others can import it (S10.145)', async () => {
  const sign = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    '"',
    ';',
    ',',
    '\n',
    '\t',
    '{{а}}',
    'ё',
    'Я',
    ' ',
    '|',
    '\\',
    '🙂',
  )
  const text = fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join(''))
  const prompt = fc.record({ title: text, description: text, category: text, content: text })
  await fc.assert(
    fc.asyncProperty(
      fc.array(prompt, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('json', 'csv'),
      async (rows, format) => {
        const [giver, taker] = [await app.signIn(), await app.signIn()]
        await bring(giver, json(rows.map((row) => ({ ...row, title: `${row.title}.`, content: `${row.content}.` }))))
        const file = await exported(giver, format)
        const back = await preview(giver, file)
        expect(back.bad).toEqual([])
        expect(back.items.map(({ action }) => action)).toEqual(back.items.map(() => 'same'))
        await bring(taker, file)
        const ownPrompts = async (who: SignedIn) =>
          (await who.call(promptsApi.list, { query: { view: 'own' } })).map(
            ({ title, description, category, content }) => [title, description, category, content],
          )
        expect(await ownPrompts(taker)).toEqual(await ownPrompts(giver))
      },
    ),
    { numRuns: 15 },
  )
})
