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
const partsOf = (change: Partial<Parameters<typeof priceLine>[0]>) => plain(lineOf(change).parts ?? '')
const textOf = (change: Partial<Parameters<typeof priceLine>[0]>) => {
  const { price, rest, short } = lineOf(change)
  return plain(`${price}${short ? ', а' : ' ·'} ${rest}`)
}

test('the price is one number, with the rest as exact as it (S10.1455)', () => {
  expect(textOf({})).toBe('≈ 680 · останется 19 310')
  expect(textOf({ symbols: 315, balance: { ...balance, availableTokens: 499_600 } })).toBe('≈ 910 · останется 498 680')
  expect(partsOf({})).toBe('Вопрос 83, ответ обычно до 900')
})

test('all that is charged counts in the number (S10.633)', () => {
  const files = { symbols: 3283, files: 3200, web: { search: 1500, pages: 4000 } }
  expect(partsOf(files)).toBe('Вопрос 83, файлы 3 200, поиск 1 500, страницы до 4 000, ответ обычно до 900')
  expect(textOf(files)).toBe('≈ 9 400 · останется 10 600')
})

test('files without words have no empty question (S10.1455)', () => {
  expect(partsOf({ symbols: 7047, files: 7047 })).toBe('Файлы 7 047, ответ обычно до 900')
})

test('a project is a part of its own (S10.872)', () => {
  const project = { symbols: 1323, project: 1240, least: 1324 }
  const instructions = { instructions: 1240, passages: 0 }
  expect(partsOf({ ...project, added: { ...instructions, project: instructions } })).toMatch(
    /^Вопрос 83, проект 1 240,/,
  )
  const files = { instructions: 40, passages: 1200 }
  expect(partsOf({ ...project, added: { ...files, project: files } })).toContain('Вопрос 83, проект до 1 240')
})

test('everything that is charged with the question is named', () => {
  expect(partsOf({ hasHistory: true })).toMatch(/^Вопрос и история 83,/)
  expect(partsOf({ added: { instructions: 10, passages: 0 } })).toMatch(/^Вопрос и инструкции 83,/)
  expect(partsOf({ hasHistory: true, added: { instructions: 10, passages: 50 } })).toMatch(
    /^Вопрос, история, инструкции и выдержки до 83,/,
  )
})

test('personal instructions have a separate term (S10.221)', () => {
  const own = { symbols: 223, least: 224, personal: 140 }
  expect(partsOf(own)).toBe('Вопрос 83, личные инструкции 140, ответ обычно до 900')
})

test('paid thoughts are shown with their usual price (S10.376)', () => {
  const thought = { low: 500, high: 3000 }
  expect(partsOf({ thought })).toBe('Вопрос 83, ответ с размышлениями обычно до 3 900')
  expect(textOf({ thought, balance: { ...balance, availableTokens: 1500 } })).toBe(
    '≈ 2 400, а на балансе 1 500: ответ может оборваться.',
  )
  expect(plain(thoughtNote(thought))).toBe('обычно до 3 000')
  expect(thoughtNote(null)).toBe('входит в цену')
})

test('an unaffordable question leads to more symbols', () => {
  const poor = { balance: { ...balance, availableTokens: 83 } }
  expect(textOf(poor)).toBe('≈ 680, а на балансе 83.')
  expect(lineOf(poor).short).toBe('top-up')
})

test('a daily limit counts as the balance and leads to the limit (S10.1453)', () => {
  const capped = { ...balance, dailyCap: 2100, spentToday: 2053 }
  expect(textOf({ symbols: 30, least: 31, balance: capped })).toBe(
    '≈ 630, а на сегодня осталось 47: ответ может оборваться.',
  )
  expect(lineOf({ balance: capped }).short).toBe('daily-cap')
  expect(textOf({ balance: { ...capped, spentToday: 100 } })).toBe('≈ 680 · сегодня останется 1 310')
})

test('an image has a fixed price, so the rest is known', () => {
  const image = { symbols: 2000, least: 2000, isImage: true }
  expect(textOf(image)).toBe('Изображение 2 000 символов · останется 18 000')
  expect(lineOf(image).parts).toBeNull()
  expect(textOf({ ...image, balance: { ...balance, availableTokens: 10 } })).toBe(
    'Изображение 2 000 символов, а на балансе 10.',
  )
})

test('search words are named among the parts of a question (S10.774)', () => {
  const added = { instructions: 0, passages: 5000, searchWords: 1500 }
  expect(partsOf({ symbols: 6583, added })).toBe('Вопрос, выдержки и подбор слов до 6 583, ответ обычно до 900')
})
