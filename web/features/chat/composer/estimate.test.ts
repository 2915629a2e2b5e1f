import { expect, test } from 'vitest'
import { billingSize, price } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import { estimate, historySizes, thoughtPrice } from './estimate.ts'

const model = {
  kind: 'text' as const,
  imagePrice: null,
  contextSymbols: null,
  maxOutputSymbols: null,
  inputRate: 1,
  outputRate: 2,
  vision: false,
}
const settings = { threadHistory: true, threadHistoryLimit: 3 }
const sentMessages = (...texts: string[]) => texts.map((content) => ({ content, files: [] }))
const file = (kind: Attachment['kind'], symbols: number | null): Attachment => ({
  id: 'f',
  kind,
  name: 'f',
  mime: '',
  bytes: 1,
  state: 'ready',
  progress: 100,
  error: null,
  symbols,
  createdAt: '2026-01-01T00:00:00.000Z',
})

test('the estimate is the price of the specification’s billing size (S10.4)', () => {
  const texts = ['раз', 'двадцать', 'три', 'четыре']
  for (const threadHistory of [true, false]) {
    const rules = { ...settings, threadHistory }
    const { symbols } = estimate(historySizes(sentMessages(...texts), rules, model), 'вопрос', [], {
      ...model,
      inputRate: 2.5,
    })
    expect(symbols).toBe(price(billingSize(texts, 'вопрос', rules), 0, { inputRate: 2.5, outputRate: 2 }))
  }
})

test('files count with the question, earlier files with the history', () => {
  const earlier = [{ content: '', files: [file('document', 700)] }]
  expect(estimate(historySizes(earlier, settings, model), 'x', [file('document', 50)], model).symbols).toBe(751)
})

test('an image counts only for a model with vision', () => {
  expect(estimate([], '', [file('image', null)], { ...model, vision: true }).symbols).toBe(1000)
  expect(estimate([], '', [file('image', null)], model).symbols).toBe(0)
})

test('an image that was read counts as its text for every model (S10.1089)', () => {
  const read = { ...file('image', 70), scan: { pages: 1, read: 1 } }
  for (const vision of [true, false]) expect(estimate([], '', [read], { ...model, vision }).symbols).toBe(70)
})

test('earlier messages that do not fit into the context are not counted', () => {
  const small = { ...model, contextSymbols: 100, maxOutputSymbols: 10 }
  expect(estimate([60, 50, 20], 'x'.repeat(20), [], small)).toMatchObject({ symbols: 90, isTooLong: false })
})

test('a question longer than the context is reported as too long', () => {
  const small = { ...model, contextSymbols: 100, maxOutputSymbols: null }
  expect(estimate([], 'x'.repeat(76), [], small).isTooLong).toBe(true)
  expect(estimate([], 'x'.repeat(75), [], small).isTooLong).toBe(false)
})

test('an assistant adds its instructions and its limit of passages', () => {
  const added = { instructions: 200, passages: 5000 }
  expect(estimate([100], 'вопрос', [], model, added).symbols).toBe(6 + 100 + 200 + 5000)
  // The context leaves 3000 for the prompt; passages take half of what instructions and question leave.
  const small = { ...model, contextSymbols: 4000, maxOutputSymbols: 1000 }
  expect(estimate([], 'вопрос', [], small, added).symbols).toBe(6 + 200 + 1397)
  expect(estimate([], 'вопрос', [], small, { instructions: 3000, passages: 0 }).isTooLong).toBe(true)
})

test('search words are priced and take no room in the context (S10.774)', () => {
  const added = { instructions: 0, passages: 5000, searchWords: 1500 }
  expect(estimate([], 'вопрос', [], model, added).symbols).toBe(6 + 5000 + 1500)
  const small = { ...model, contextSymbols: 4000, maxOutputSymbols: 1000 }
  expect(estimate([], 'вопрос', [], small, added).symbols).toBe(6 + 1497 + 1500)
  expect(estimate([], 'вопрос', [], model, added).least).toBe(price(6 + 5000 + 1500, 1, model))
})

test('personal instructions are priced and take room in the context (S10.221)', () => {
  const dear = { ...model, inputRate: 2.5 }
  const { symbols, personal, least } = estimate([100], 'вопрос', [], dear, { instructions: 200, passages: 0 }, 141)
  expect(symbols).toBe(price(6 + 100 + 200 + 141, 0, dear))
  expect(symbols - personal).toBe(price(6 + 100 + 200, 0, dear))
  expect(least).toBe(price(6 + 100 + 200 + 141, 1, dear))
  const small = { ...model, contextSymbols: 100, maxOutputSymbols: 10 }
  expect(estimate([60, 20], 'x'.repeat(20), [], small, null, 50).symbols).toBe(90)
  expect(estimate([], 'x'.repeat(20), [], small, null, 71).isTooLong).toBe(true)
})

test('an image has a fixed price and a limit of description', () => {
  const draws = { ...model, kind: 'image' as const, imagePrice: 2000 }
  expect(estimate([500, 500], 'кот', [], draws, null, 140)).toMatchObject({
    symbols: 2000,
    personal: 0,
    isTooLong: false,
  })
  expect(estimate([], 'к'.repeat(4001), [], draws).isTooLong).toBe(true)
})

test('a summary is part of the price where it fits (S10.353)', () => {
  const sizes = [100, 200]
  expect(estimate(sizes, 'вопрос', [], model, null, 0, 50)).toMatchObject({ symbols: 356, hasHistory: true })
  expect(estimate([], 'вопрос', [], model, null, 0, 50)).toMatchObject({ symbols: 56, hasHistory: true })
  const small = { ...model, contextSymbols: 400, maxOutputSymbols: 100 }
  expect(estimate(sizes, 'вопрос', [], small, null, 0, 150)).toMatchObject({ symbols: 156, isTooLong: false })
  expect(estimate(sizes, 'вопрос', [], small, null, 0, 500)).toMatchObject({ symbols: 206, isTooLong: false })
})

test('thoughts cost by their depth, unless the price includes them (S10.376)', () => {
  const thinks = { thinks: true, thoughtRate: 0.5, inputRate: 1, outputRate: 2 }
  expect(thoughtPrice(thinks, 'usual')).toEqual({ low: 0, high: 1000 })
  expect(thoughtPrice(thinks, 'most')).toEqual({ low: 1500, high: 10_000 })
  expect(thoughtPrice(thinks, 'none')).toBeNull()
  expect(thoughtPrice({ ...thinks, thoughtRate: 0 }, 'most')).toBeNull()
  expect(thoughtPrice({ ...thinks, thinks: false }, 'most')).toEqual({ low: 0, high: 1000 })
})
