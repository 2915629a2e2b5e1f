import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { findPassages, mergeRanks, passageSymbols, readPassage } from './retrieve.ts'
import { insertAssistant, insertIndexedFile } from './testing/insert-file.ts'

let libraryId: string
const app = await testApp()
const anna = await app.signIn()
beforeEach(async () => {
  await app.db.delete(files)
  libraryId = await insertAssistant(app, anna.user.id)
})

const ctxOf = ({ user }: SignedIn): Ctx => ({
  ...{ db: app.db, publish: () => {}, user, ip: '' },
  session: { id: '', user, impersonatedBy: null },
})
const known = (name: string, content: string, mime?: string) =>
  insertIndexedFile(app, { userId: anna.user.id, libraryId }, name, content, mime)
const ask = (question: string, most = 12_000) =>
  findPassages(app.db, app.files.knowledge, { libraryId, question, most })

const topics = ['погода', 'спорт', 'музыка', 'кулинария', 'рыбалка', 'садоводство', 'астрономия', 'вязание']
const filler = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const topic = topics[n % topics.length] ?? ''
    return `## ${topic}, заметка ${n}\n\n${`Здесь подробно рассказано про то, чем интересна ${topic} и как ею заняться. `.repeat(12)}`
  }).join('\n\n')

describe('small files', () => {
  test('are returned whole, in order, each word once', async () => {
    const first = Array.from(
      { length: 80 },
      (_, n) => `Предложение номер ${n} о первом файле и о том, что в нём есть.`,
    ).join(' ')
    await known('первый.txt', first)
    await known('второй.md', '# Второй\n\nКоротко.')
    const { passages, whole } = await ask('что угодно', 30_000)
    expect(whole).toBe(true)
    expect(passages.length).toBeGreaterThan(3)
    const text = passages.map((passage) => passage.text).join(' ')
    expect(text.replace(/\s+/g, ' ')).toBe(`${first} # Второй Коротко.`)
    expect(passages.at(-1)).toMatchObject({ fileName: 'второй.md', section: 'Второй', place: null })
  })

  test('that exceed the limit are searched', async () => {
    await known('a.md', filler(12))
    const { whole, passages } = await ask('Чем интересно вязание?', 3000)
    expect(whole).toBe(false)
    expect(passages[0]?.text).toContain('вязание')
    expect(passages.reduce((sum, passage) => sum + passageSymbols(passage), 0)).toBeLessThanOrEqual(3000)
  })

  test('an assistant without files has no passages', async () => {
    expect(await ask('Что там?')).toEqual({ passages: [], whole: true })
  })
})

describe('large files', () => {
  beforeEach(async () => {
    const rules = '## Ёлочные украшения\n\nХрупкие шары хранят в коробках на верхней полке кладовой.'
    await known('заметки.md', `${filler(25)}\n\n${rules}\n\n${filler(25)}`)
  })

  test('are found by other forms of the words, and «е» is «ё»', async () => {
    const { passages, whole } = await ask('Где хранятся елочные шарики и коробки для шаров?')
    expect(whole).toBe(false)
    expect(passages[0]?.text).toContain('на верхней полке кладовой')
    expect(passages.length).toBeLessThanOrEqual(14)
  })

  test('a rare word weighs more than many common words', async () => {
    const { passages } = await ask('Подробно рассказано: чем заняться в кладовой?')
    expect(passages[0]?.text).toContain('кладовой')
  })

  test('a file is found by its name', async () => {
    await known('Регламент склада.txt', `Приёмка идёт утром. ${'Подробности у кладовщика. '.repeat(20)}`)
    await known('Регламент офиса.txt', `Приёмка идёт вечером. ${'Подробности у секретаря. '.repeat(20)}`)
    expect((await ask('Когда приёмка по регламенту офиса?')).passages[0]?.text).toContain('вечером')
    expect((await ask('Когда приёмка по регламенту склада?')).passages[0]?.text).toContain('утром')
  })

  test('the neighbours of the best passage follow if they fit', async () => {
    const { passages } = await ask('Хрупкие шары', 6000)
    const [best] = passages
    const position = Number(best?.passageId.split('-').at(-1))
    const ids = passages.map(({ passageId }) => passageId)
    for (const beside of [position - 1, position + 1]) expect(ids).toContain(`${best?.fileId}-${beside}`)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('an empty question, punctuation and query syntax do no harm', async () => {
    for (const question of ['', '???', "' | & ! <-> :*", 'и или а но', "x') or 1=1 --"]) {
      expect((await ask(question)).whole).toBe(false)
    }
  })

  test('only ready files of this assistant are searched', async () => {
    const mine = libraryId
    libraryId = await insertAssistant(app, anna.user.id)
    await known('чужое.md', `${filler(30)}\n\n## Шары\n\nХрупкие шары лежат в гараже.`)
    libraryId = mine
    expect((await ask('Хрупкие шары')).passages.map(({ text }) => text).join()).not.toContain('гараже')
    await app.db.update(files).set({ state: 'indexing' }).where(eq(files.name, 'заметки.md'))
    expect((await ask('Хрупкие шары')).passages).toEqual([])
  })
})

describe('a citation', () => {
  const story = Array.from({ length: 80 }, (_, n) => `Предложение номер ${n} о сроках, ценах и порядке поставки.`)

  test('opens the passage with the text around it', async () => {
    const fileId = await known('a.txt', story.join(' '))
    const middle = await readPassage(ctxOf(anna), `${fileId}-1`)
    expect(middle).toMatchObject({ fileId, fileName: 'a.txt', place: null })
    const around = `${middle.before} ${middle.text} ${middle.after}`
    expect(story.join(' ')).toContain(around)
    expect(await readPassage(ctxOf(anna), `${fileId}-0`)).toMatchObject({ before: null })
  })

  test("of another user's file is not found", async () => {
    const fileId = await known('a.txt', story.join(' '))
    const boris = await app.signIn()
    await expect(readPassage(ctxOf(boris), `${fileId}-1`)).rejects.toMatchObject({ code: 'not_found' })
    await expect(readPassage(ctxOf(anna), 'nothing-1')).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('two good ranks beat a single first rank', () => {
  expect(
    mergeRanks([
      ['a', 'b', 'c'],
      ['d', 'b'],
    ]),
  ).toEqual(['b', 'a', 'd', 'c'])
  expect(mergeRanks([['a', 'b']])).toEqual(['a', 'b'])
})
