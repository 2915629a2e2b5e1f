import { expect, test } from 'vitest'
import { type HistoryItem, LONG_HISTORY, MAX_WRITTEN_SUMMARY, planSummary, summaryPrice } from './summaries.ts'

/** Exchanges of two messages of so many symbols each. */
const exchanges = (count: number, text: number): HistoryItem[] =>
  Array.from({ length: count * 2 }, (_, i) => ({
    id: `${i % 2 ? 'a' : 'q'}${Math.floor(i / 2) + 1}`,
    role: i % 2 ? 'assistant' : 'user',
    text,
    images: 0,
  }))
const open = { summary: 0, capacity: Number.MAX_SAFE_INTEGER }

test('a short history needs no summary', () => {
  expect(planSummary([], open)).toBeNull()
  expect(planSummary(exchanges(1, 20_000), open)).toBeNull()
  expect(planSummary(exchanges(5, 500), open)).toBeNull()
})

test('a summary never covers the last exchanges of the chat (S10.351)', () => {
  expect(planSummary(exchanges(10, 1000), open)).toMatchObject({ coversUntil: 'a7', messages: 14, input: 14_000 })
  expect(planSummary(exchanges(4, 9000), open)).toMatchObject({ coversUntil: 'a3', messages: 6 })
})

test('a summary never covers a waiting question, and a question follows it', () => {
  const items = exchanges(9, 3000).slice(0, -1)
  expect(planSummary(items, open)).toMatchObject({ coversUntil: 'a8', messages: 16 })
  expect(planSummary(items.slice(1), open)).toMatchObject({ coversUntil: 'a8', messages: 15 })
})

test('a summary is due when questions would send over 24 000 symbols (S10.351)', () => {
  expect(planSummary(exchanges(12, 1000), open)).toMatchObject({ before: LONG_HISTORY, isDue: false })
  expect(planSummary(exchanges(12, 1001), open)).toMatchObject({ isDue: true })
})

test('a summary is due before messages stop fitting into a model (S10.351)', () => {
  expect(planSummary(exchanges(8, 1000), { summary: 0, capacity: 21_000 })).toMatchObject({ isDue: false })
  expect(planSummary(exchanges(8, 1000), { summary: 0, capacity: 19_000 })).toMatchObject({ isDue: true })
})

test('images count for each question, but do not enter a summary', () => {
  const items = exchanges(10, 1000).map((item) => ({ ...item, images: 900 }))
  expect(planSummary(items, open)).toMatchObject({ before: 38_000, input: 18_000 })
})

test('the previous summary is read again and counted in the history', () => {
  const plan = planSummary(exchanges(10, 1000), { ...open, summary: 3000 })
  expect(plan).toMatchObject({ input: 17_000, before: 23_000 })
})

test('a fresh summary leaves nothing to sum up, but can be remade', () => {
  const end = exchanges(3, 900)
  expect(planSummary(end, { ...open, summary: 3000 })).toBeNull()
  expect(planSummary(exchanges(4, 900), { ...open, isReplacement: true })).toMatchObject({
    coversUntil: 'a1',
    target: 400,
  })
})

test('a history above the capacity of the model is read in parts', () => {
  const plan = planSummary(exchanges(20, 2500), { summary: 0, capacity: 38_000 })
  expect(plan).toMatchObject({ input: 95_000, parts: 4, isDue: true })
  expect(planSummary(exchanges(20, 2500), open)).toMatchObject({ parts: 1 })
})

test('the price is a range: at most what the longest summary costs', () => {
  const plan = planSummary(exchanges(20, 1000), open)
  if (!plan) throw new Error('no plan')
  const rates = { inputRate: 0.5, outputRate: 2 }
  expect(plan).toMatchObject({ input: 34_000, target: 3200, parts: 1, after: 9200 })
  expect(summaryPrice(plan, rates)).toEqual({ low: 17_000 + 3200, high: 17_000 + 2 * MAX_WRITTEN_SUMMARY })
})
