import { expect, test } from 'vitest'
import { callPage } from '#contract/call.ts'
import { promptsApi } from '#contract/prompts.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()
const add = (who: SignedIn, title: string, content: string, category = 'Разное') =>
  who.call(promptsApi.create, { body: { title, content, category, published: who === owner } })
await add(owner, 'Вежливый отказ', 'Напиши письмо клиенту: мы не можем выполнить {{просьба:текст}}.', 'Письма')
await add(owner, 'Разбор ошибки', 'Объясни, почему падает программа, и предложи исправление SQL-запроса.', 'Код')
await add(owner, 'План счетов', 'Расчёт расходов на месяц.', 'Анализ')
await add(owner, 'Отчёт о встрече', 'Выдели решения и поручения.', 'Документы')
await add(anna, 'Моя заметка о клиентах', 'Личное.', 'Письма')

const find = async (query: string, who = anna, more: object = {}) =>
  (await who.call(promptsApi.list, { query: { query, ...more } })).map(({ title }) => title)

test('a prompt is found by other word forms in its texts (S10.104)', async () => {
  expect(await find('вежливым отказом')).toEqual(['Вежливый отказ'])
  expect(await find('исправлениями программ')).toEqual(['Разбор ошибки'])
  expect(await find('решение поручение')).toEqual(['Отчёт о встрече'])
  expect(await find('документ')).toEqual(['Отчёт о встрече'])
})

test('е and ё are the same, and case does not matter (S10.104)', async () => {
  expect(await find('ОТЧЕТ')).toEqual(['Отчёт о встрече'])
  expect(await find('расчет')).toEqual(['План счетов'])
  expect(await find('расчётами')).toEqual(['План счетов'])
})

test('the last word matches as a prefix (S10.104)', async () => {
  expect(await find('отчет о встр')).toEqual(['Отчёт о встрече'])
  expect(await find('ра')).toEqual(expect.arrayContaining(['Разбор ошибки', 'План счетов']))
  expect(await find('sq')).toEqual(['Разбор ошибки'])
})

test('words in the title come before words in the text', async () => {
  expect(await find('клиент')).toEqual(['Моя заметка о клиентах', 'Вежливый отказ'])
})

test('a part of a title is found literally, wildcards of LIKE included', async () => {
  expect(await find('о встрече')).toEqual(['Отчёт о встрече'])
  expect(await find('%')).toEqual([])
  expect(await find("'; & | !")).toEqual([])
})

test('partial matches are found only when no prompt has all words', async () => {
  expect(await find('письмо отказ')).toEqual(['Вежливый отказ'])
  expect(await find('отказ банка')).toEqual(['Вежливый отказ'])
  expect(await find('квазистационарность')).toEqual([])
})

test('the search finds only visible prompts within the filters', async () => {
  const boris = await app.signIn()
  expect(await find('клиент', boris)).toEqual(['Вежливый отказ'])
  expect(await find('клиент', anna, { view: 'own' })).toEqual(['Моя заметка о клиентах'])
  expect(await find('клиент', anna, { view: 'published', category: 'Код' })).toEqual([])
})

test('search results are paged', async () => {
  const vera = await app.signIn()
  for (let i = 0; i < 5; i++) {
    await vera.call(promptsApi.create, { body: { title: `Гороскоп ${i}`, content: 'Звёзды' } })
  }
  const first = await callPage(promptsApi.list, { query: { query: 'звезда', limit: 3 } }, vera.fetch)
  const rest = await callPage(
    promptsApi.list,
    { query: { query: 'звезда', limit: 3, cursor: first.nextCursor ?? '' } },
    vera.fetch,
  )
  expect(new Set([...first.items, ...rest.items].map(({ title }) => title)).size).toBe(5)
  expect(rest.nextCursor).toBeNull()
})

test('suggestions begin with title matches, then favourites, own and popular prompts (S10.137)', async () => {
  const suggest = async (query: string) =>
    (await anna.call(promptsApi.suggest, { query: { query } })).map(({ title }) => title)
  expect((await suggest('клиент'))[0]).toBe('Моя заметка о клиентах')
  expect(await suggest('от')).toEqual(expect.arrayContaining(['Отчёт о встрече', 'Вежливый отказ']))
  expect((await suggest('от'))[0]).toBe('Отчёт о встрече')
  const [plan] = await anna.call(promptsApi.list, { query: { query: 'план счетов' } })
  await anna.call(promptsApi.favourite, { params: { id: plan?.id ?? '' }, body: { favourite: true } })
  expect((await suggest('')).slice(0, 2)).toEqual(['План счетов', 'Моя заметка о клиентах'])
  for (let i = 0; i < 9; i++) await anna.call(promptsApi.create, { body: { title: `Ещё ${i}`, content: 'x' } })
  expect(await suggest('')).toHaveLength(8)
})
