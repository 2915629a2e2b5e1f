import { expect, test } from 'vitest'
import { priceLine, thoughtNote } from './price-line.ts'

const balance = { availableTokens: 20_000, dailyCap: null, spentToday: 0 }
const ready = {
  symbols: 83,
  personal: 0,
  files: 0,
  least: 84,
  hasHistory: false,
  added: null,
  usual: { low: 302, high: 897 },
  thought: null,
  balance,
  isImage: false,
}
const plain = (text: string) => text.replace(/\s/g, ' ')
const lineOf = (change: Partial<Parameters<typeof priceLine>[0]>) => priceLine({ ...ready, ...change })
const textOf = (change: Partial<Parameters<typeof priceLine>[0]>) => plain(lineOf(change).parts)
const totalOf = (change: Partial<Parameters<typeof priceLine>[0]>) => plain(lineOf(change).total ?? '')

test('the price shows question, usual answer, sum and least rest', () => {
  expect(textOf({})).toBe('Вопрос 83 + ответ обычно 300–900')
  expect(totalOf({})).toBe('всего обычно до 983 · останется от 19 017')
})

test('the parts on the screen add up to the sum (S10.633)', () => {
  const files = { symbols: 3283, files: 3200, web: { search: 1500, pages: 4000 } }
  expect(textOf(files)).toBe('Вопрос 83 + файлы 3 200 + поиск 1 500 + страницы до 4 000 + ответ обычно 300–900')
  expect(totalOf(files)).toBe('всего обычно до 9 683 · останется от 10 317')
  expect(totalOf({ ...files, usual: null })).toBe('всего до 8 783 и ответ по его длине')
})

test('no rest is promised when the sum may exceed the balance (S10.633)', () => {
  expect(totalOf({ balance: { ...balance, availableTokens: 900 } })).toBe('всего обычно до 983')
})

test('a project is a part of its own (S10.872)', () => {
  const project = { symbols: 1323, project: 1240, least: 1324 }
  const instructions = { instructions: 1240, passages: 0 }
  expect(textOf({ ...project, added: { ...instructions, project: instructions } })).toBe(
    'Вопрос 83 + проект 1 240 + ответ обычно 300–900',
  )
  const files = { instructions: 40, passages: 1200 }
  expect(textOf({ ...project, added: { ...files, project: files } })).toContain('Вопрос 83 + проект до 1 240')
  expect(totalOf({ ...project, added: { ...files, project: files } })).toContain('всего обычно до 2 223')
})

test('a price with little variation is a single number', () => {
  expect(textOf({ usual: { low: 296, high: 304 } })).toBe('Вопрос 83 + ответ обычно 300')
})

test('everything that is charged with the question is named', () => {
  expect(textOf({ hasHistory: true })).toMatch(/^Вопрос и история 83 \+/)
  expect(textOf({ added: { instructions: 10, passages: 0 } })).toMatch(/^Вопрос и инструкции 83 \+/)
  expect(textOf({ hasHistory: true, added: { instructions: 10, passages: 50 } })).toMatch(
    /^Вопрос, история, инструкции и выдержки до 83 \+/,
  )
})

test('personal instructions have a separate term (S10.221)', () => {
  const own = { symbols: 223, least: 224, personal: 140 }
  expect(textOf(own)).toBe('Вопрос 83 + ваши инструкции 140 + ответ обычно 300–900')
  expect(textOf({ ...own, usual: null })).toBe('Вопрос 83 + ваши инструкции 140')
  expect(textOf({ ...own, added: { instructions: 10, passages: 50 } })).toMatch(
    /^Вопрос, инструкции и выдержки до 83 \+ ваши инструкции 140 \+/,
  )
})

test('paid thoughts are shown with their range (S10.376)', () => {
  const thought = { low: 500, high: 3000 }
  expect(textOf({ thought })).toBe('Вопрос 83 + ответ с размышлениями обычно 800–3 900')
  expect(textOf({ thought, usual: null })).toBe('Вопрос 83 + размышления обычно 500–3 000')
  const poor = { ...balance, availableTokens: 1500 }
  expect(textOf({ thought, usual: null, balance: poor })).toMatch(/а на балансе 1 500: ответ может оборваться\.$/)
  expect(plain(thoughtNote(thought))).toBe('обычно до 3 000')
  expect(thoughtNote(null)).toBe('входит в цену')
})

test('the price has no answer without past answers', () => {
  expect(textOf({ usual: null })).toBe('Вопрос 83')
  expect(lineOf({ usual: null })).toMatchObject({ total: null, note: 'цена ответа зависит от его длины' })
})

test('an unaffordable question leads to more symbols', () => {
  const poor = { ...ready, balance: { ...balance, availableTokens: 83 } }
  expect(priceLine(poor)).toMatchObject({ parts: expect.stringMatching(/, а на балансе 83\.$/), short: 'top-up' })
})

test('a question with too little balance warns of a cut answer', () => {
  const poor = { ...ready, balance: { ...balance, availableTokens: 500 } }
  expect(textOf(poor)).toBe('Вопрос 83 + ответ обычно 300–900, а на балансе 500: ответ может оборваться.')
  expect(priceLine(poor)).toMatchObject({ total: null, short: 'top-up' })
})

test('a daily limit counts as the balance and leads to the limit', () => {
  const capped = { ...ready, balance: { ...balance, dailyCap: 100, spentToday: 40 } }
  expect(textOf(capped)).toMatch(/, а на сегодня осталось 60\.$/)
  expect(priceLine(capped).short).toBe('daily-cap')
})

test('an image has a fixed price, so the rest is known', () => {
  const image = { ...ready, symbols: 2000, least: 2000, isImage: true }
  expect(textOf(image)).toBe('Изображение 2 000 символов')
  expect(totalOf(image)).toBe('останется 18 000')
  expect(priceLine({ ...image, balance: { ...balance, availableTokens: 10 } }).short).toBe('top-up')
})

test('search words are named among the parts of a question (S10.774)', () => {
  const added = { instructions: 0, passages: 5000, searchWords: 1500 }
  expect(textOf({ symbols: 6583, added })).toBe('Вопрос, выдержки и подбор слов до 6 583 + ответ обычно 300–900')
})
