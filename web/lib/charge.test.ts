import { expect, test } from 'vitest'
import type { Rates } from '#contract/billing.ts'
import type { Message } from '#contract/threads.ts'
import type { Transaction } from '#contract/transactions.ts'
import { aTransaction, inputParts } from '#web/testing/samples.ts'
import { chargeFormula, chargeLines, chargeOfMessage, chargeOfOperation, lineFigure } from './charge.ts'

const parts = inputParts({ question: 240, history: 1000, historyMessages: 4 })
const plain = (text: string) => text.replace(/\s/g, ' ')

type Sizes = Parameters<typeof chargeOfMessage>[0]
const ofMessage = (sizes: Partial<Sizes>, rates?: Rates) =>
  chargeOfMessage({ parts, input: 1240, output: 412, charged: 2270, thought: null, ...sizes }, rates)
const linesOf = (sizes: Partial<Sizes>, rates?: Rates) => chargeLines(ofMessage(sizes, rates))
const namesOf = (sizes: Partial<Sizes>) => linesOf(sizes).map(({ name }) => name)
const thought: Message['thought'] = { text: '', symbols: 6200, ms: null }

test('a charge shows its parts without empty parts', () => {
  expect(linesOf({})).toEqual([
    { name: 'Вопрос', symbols: 240 },
    { name: 'История: 4 сообщения', symbols: 1000 },
    { name: 'Ответ', symbols: 412 },
  ])
})

test('the summary of a long chat has a separate line (S10.353)', () => {
  const names = namesOf({ parts: { ...parts, summary: 300 }, input: 1540 })
  expect(names).toEqual(['Вопрос', 'Сжатое начало чата', 'История: 4 сообщения', 'Ответ'])
})

test('instructions, passages, personal instructions and files have their own lines (S10.221)', () => {
  const added = { instructions: 300, files: 5000, passages: 700, personal: 140 }
  expect(namesOf({ parts: { ...parts, history: 0, historyMessages: 0, ...added }, input: 6380 })).toEqual([
    'Вопрос',
    'Инструкции ассистента',
    'Выдержки из файлов ассистента',
    'Личные инструкции',
    'Файлы',
    'Ответ',
  ])
})

test('search words have their own line (S10.774)', () => {
  const lines = linesOf({ parts: { ...parts, passages: 700, searchWords: 640 }, input: 2580, output: 1 })
  expect(lines).toContainEqual({ name: 'Подбор слов для поиска', symbols: 640 })
  expect(lines.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(2581)
})

test('the lines of a continued answer add up to its size', () => {
  const lines = linesOf({ input: 3000, output: 500 })
  expect(lines).toContainEqual({ name: 'Прежние запросы', symbols: 1760 })
  expect(lines.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(3500)
})

test('the formula is shown when it gives the charge', () => {
  const formula = (rates: Rates) => plain(chargeFormula(ofMessage({}, rates)))
  expect(formula({ inputRate: 1, outputRate: 2.5 })).toBe('1 240 × 1 + 412 × 2,5 = 2 270')
  expect(formula({ inputRate: 2, outputRate: 2 })).toBe('Цена посчитана по коэффициентам модели в день ответа.')
})

test('thoughts have a line with their rate, or are included (S10.377)', () => {
  const figures = (rates: Rates, charged: number) =>
    linesOf({ charged, thought }, rates).map((line) => `${line.name}: ${plain(lineFigure(line))}`)
  expect(figures({ inputRate: 1, outputRate: 2.5, thoughtRate: 0.5 }, 5370)).toContain('Размышления: 6 200 × 0,5')
  expect(figures({ inputRate: 1, outputRate: 2.5 }, 2270)).toContain('Размышления: 6 200, входят в цену')
  expect(figures({ inputRate: 9, outputRate: 9 }, 2270)).toContain('Размышления: 6 200')
})

test('cached input is a part of the request with its own rate', () => {
  const lines = linesOf({ charged: 2045, cached: 300 }, { inputRate: 1, outputRate: 2.5, cachedRate: 0.25 })
  expect(lines.map(({ name }) => name)).toEqual(['Вопрос', 'История: 4 сообщения', 'из них из кэша', 'Ответ'])
  expect(lines[2]).toMatchObject({ symbols: 300, rate: 0.25 })
})

const ofOperation = (change: Partial<Transaction>) => {
  const charge = chargeOfOperation(aTransaction({ symbols: -2270, input: 1240, output: 412, ...change }))
  if (!charge) throw new Error('No charge')
  return { formula: plain(chargeFormula(charge)), lines: chargeLines(charge) }
}

test('an operation has the same lines as its answer (S10.1452)', () => {
  expect(ofOperation({ inputParts: parts })).toEqual({
    formula: '1 240 × 1 + 412 × 2,5 = 2 270',
    lines: linesOf({}, { inputRate: 1, outputRate: 2.5 }),
  })
})

test('an input with unknown parts is not called the question (S10.1452)', () => {
  expect(ofOperation({}).lines.map(({ name }) => name)).toEqual(['Запрос', 'Ответ'])
  expect(ofOperation({ kind: 'minutes' }).lines.map(({ name }) => name)).toEqual(['Прочитано', 'Написано'])
})

test('paid thoughts, cache and search are terms of an operation (S10.377, S10.1452)', () => {
  const all = { thought: 6200, thoughtRate: 0.5, cached: 300, cachedRate: 0.25, searchPrice: 1500, symbols: -6645 }
  expect(ofOperation(all).formula).toBe(
    '940 × 1 + из кэша 300 × 0,25 + размышления 6 200 × 0,5 + 412 × 2,5 + поиск 1 500 = 6 645',
  )
})

test('a fractional price is rounded up and says so (S10.2)', () => {
  expect(ofOperation({ output: 411, symbols: -2268 }).formula).toBe(
    '1 240 × 1 + 411 × 2,5 = 2 267,5, с округлением вверх 2 268',
  )
  const tenths = { input: 3, inputRate: 0.1, output: 0, outputRate: 0.1, symbols: -1 }
  expect(ofOperation(tenths).formula).toContain('= 0,3, с округлением вверх 1')
})

test('a charge below its price says so', () => {
  expect(ofOperation({ symbols: -2000 }).formula).toBe('1 240 × 1 + 412 × 2,5 = 2 270, списано 2 000')
})

test('a fixed price has no parts', () => {
  expect(chargeOfOperation(aTransaction({ kind: 'image', input: null, inputRate: null }))).toBeNull()
})
