import { expect, test } from 'vitest'
import { type Rates, spendableSymbols } from '#contract/billing.ts'
import { inputParts } from '#web/testing/samples.ts'
import {
  costFormula,
  costLines,
  costToContinue,
  cutMessagesLabel,
  lineFigure,
  stoppedLabel,
  termsOf,
} from './answer-cost.ts'

const parts = inputParts({ question: 240, history: 1000, historyMessages: 4 })

test('a charge shows its parts without empty parts', () => {
  expect(costLines({ parts, input: 1240, output: 412 })).toEqual([
    { name: 'Вопрос', symbols: 240 },
    { name: 'История: 4 сообщения', symbols: 1000 },
    { name: 'Ответ', symbols: 412 },
  ])
})

test('the summary of a long chat has a separate line (S10.353)', () => {
  const names = costLines({ parts: { ...parts, summary: 300 }, input: 1540, output: 1 }).map(({ name }) => name)
  expect(names).toEqual(['Вопрос', 'Сжатое начало чата', 'История: 4 сообщения', 'Ответ'])
})

test('instructions, passages, personal instructions and files have their own lines (S10.221)', () => {
  const whole = {
    ...parts,
    history: 0,
    historyMessages: 0,
    instructions: 300,
    files: 5000,
    passages: 700,
    personal: 140,
  }
  const names = costLines({ parts: whole, input: 6380, output: 1 }).map(({ name }) => name)
  expect(names).toEqual([
    'Вопрос',
    'Инструкции ассистента',
    'Выдержки из файлов ассистента',
    'Ваши инструкции',
    'Файлы',
    'Ответ',
  ])
})

test('search words have their own line (S10.774)', () => {
  const lines = costLines({ parts: { ...parts, passages: 700, searchWords: 640 }, input: 2580, output: 1 })
  expect(lines).toContainEqual({ name: 'Подбор слов для поиска', symbols: 640 })
  expect(lines.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(2581)
})

test('the lines of a continued answer add up to its size', () => {
  const lines = costLines({ parts, input: 3000, output: 500 })
  expect(lines).toContainEqual({ name: 'Прежние запросы', symbols: 1760 })
  expect(lines.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(3500)
})

const plain = (text: string) => text.replace(/\s/g, ' ')
const formulaOf = (answer: Parameters<typeof termsOf>[0], rates: Rates) =>
  plain(costFormula(termsOf(answer, rates), answer.charged))

test('the formula is shown when it gives the charge', () => {
  const rates = { inputRate: 1, outputRate: 2.5 }
  expect(formulaOf({ input: 1240, output: 412, charged: 2270 }, rates)).toBe('1 240 × 1 + 412 × 2,5 = 2 270')
})

test('thoughts and cached input have their own rates in the formula (S10.377)', () => {
  const rates = { inputRate: 1, outputRate: 2.5, thoughtRate: 0.5, cachedRate: 0.25 }
  const thought = { text: '', symbols: 6200, ms: null }
  expect(formulaOf({ input: 1240, output: 412, charged: 5145, thought, cached: 300 }, rates)).toBe(
    '940 × 1 + из кэша 300 × 0,25 + размышления 6 200 × 0,5 + 412 × 2,5 = 5 145',
  )
})

test('thoughts have a line with their rate, or are included (S10.377)', () => {
  const answer = { parts, input: 1240, output: 412, charged: 5370, thought: { text: '', symbols: 6200, ms: null } }
  const figures = (rates: Rates, charged: number) =>
    costLines(answer, termsOf({ ...answer, charged }, rates)).map((line) => `${line.name}: ${plain(lineFigure(line))}`)
  expect(figures({ inputRate: 1, outputRate: 2.5, thoughtRate: 0.5 }, 5370)).toContain('Размышления: 6 200 × 0,5')
  expect(figures({ inputRate: 1, outputRate: 2.5 }, 2270)).toContain('Размышления: 6 200, входят в цену')
  expect(figures({ inputRate: 9, outputRate: 9 }, 2270)).toContain('Размышления: 6 200')
})

test('cached input is a part of the question with its own rate', () => {
  const answer = { parts, input: 1240, output: 412, charged: 2045, cached: 300 }
  const lines = costLines(answer, termsOf(answer, { inputRate: 1, outputRate: 2.5, cachedRate: 0.25 }))
  expect(lines.map(({ name }) => name)).toEqual(['Вопрос', 'История: 4 сообщения', 'из них из кэша', 'Ответ'])
  expect(lines[2]).toMatchObject({ symbols: 300, rate: 0.25 })
})

test('rates that have changed are not shown', () => {
  expect(termsOf({ input: 1240, output: 412, charged: 2270 }, { inputRate: 2, outputRate: 2 })).toEqual([])
})

test('messages left out of the prompt are counted in correct Russian', () => {
  expect(cutMessagesLabel(0)).toBeNull()
  expect(cutMessagesLabel(1)).toBe('В запрос не вошло 1 раннее сообщение: оно не помещается в модель.')
  expect(cutMessagesLabel(4)).toBe('В запрос не вошли 4 ранних сообщения: они не помещаются в модель.')
  expect(cutMessagesLabel(12)).toBe('В запрос не вошли 12 ранних сообщений: они не помещаются в модель.')
})

test('a stop before the first word shows its cost or is free', () => {
  expect(stoppedLabel({ content: '', earlyStop: { charged: 0, free: 2 } })).toBe(
    'Ответ остановлен до первого слова. Бесплатная остановка 2 из 3 за сегодня.',
  )
  expect(plain(stoppedLabel({ content: '', earlyStop: { charged: 1240, free: null } }))).toMatch(
    /^Ответ остановлен до первого слова\. Вопрос уже был у модели: списано 1.240 символов\.$/,
  )
  expect(stoppedLabel({ content: 'Да', earlyStop: null })).toBe('Ответ остановлен.')
  expect(stoppedLabel({ content: '' })).toBe('Ответ остановлен.')
})

test('a stop in thought is named so, with its known cost', () => {
  const thought = { text: 'Хм', symbols: 2, ms: 100 }
  expect(stoppedLabel({ content: '', thought })).toBe('Ответ остановлен в размышлениях.')
  expect(stoppedLabel({ content: '', thought, earlyStop: { charged: 0, free: 1 } })).toBe(
    'Ответ остановлен в размышлениях. Бесплатная остановка 1 из 3 за сегодня.',
  )
  expect(stoppedLabel({ content: 'Да', thought })).toBe('Ответ остановлен.')
  expect(stoppedLabel({ content: '', thought: { text: '', symbols: 0, ms: null } })).toBe('Ответ остановлен.')
})

test('the daily limit bounds what can be spent', () => {
  expect(spendableSymbols({ availableTokens: 500, dailyCap: null, spentToday: 900 })).toBe(500)
  expect(spendableSymbols({ availableTokens: 500, dailyCap: 1000, spentToday: 900 })).toBe(100)
  expect(spendableSymbols({ availableTokens: 500, dailyCap: 1000, spentToday: 1200 })).toBe(0)
})

test('continuing costs the question and the answer so far', () => {
  const parts = {
    question: 10,
    history: 20,
    historyMessages: 1,
    cutMessages: 0,
    instructions: 0,
    files: 5,
    passages: 0,
    personal: 0,
  }
  expect(costToContinue({ parts, content: 'а'.repeat(65) }, { inputRate: 2, outputRate: 3 })).toBe(203)
})
