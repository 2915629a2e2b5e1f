import { expect, test } from 'vitest'
import { aModel } from '#web/testing/samples.ts'
import { type AgainContext, costOfRest, costToRepeat } from './again-cost.ts'

const parts = {
  ...{ question: 40, history: 50, historyMessages: 1, cutMessages: 0 },
  ...{ instructions: 10, files: 0, passages: 0, personal: 0 },
}
const model = aModel({ inputRate: 1, outputRate: 2 })
const context: AgainContext = { model, thinking: 'usual', usualCosts: undefined, searchPrice: 1500 }
const usualCosts = [{ modelId: model.id, answer: { low: 100, high: 450 }, exchange: 900 }]
const withUsual = { ...context, usualCosts }
const thought = { text: '', symbols: 400, ms: null }
const web = { query: null, hasFound: false, price: 0, unread: [] }
const searched = { ...web, request: { search: true, pages: [] } }

test('another answer names the most it usually costs (S10.630)', () => {
  expect(costToRepeat({ parts, input: 900, output: 150 }, withUsual)).toEqual({ most: 1000, least: 102, kind: 'most' })
  // This one was longer than usual.
  expect(costToRepeat({ parts, input: 900, output: 600 }, withUsual)?.most).toBe(1300)
  const thinks = { ...withUsual, model: { ...model, thinks: true, thoughtRate: 0.5 }, thinking: 'most' as const }
  expect(costToRepeat({ parts, input: 900, output: 150 }, thinks)?.most).toBe(100 + 11_000)
})

test('another answer costs as this one while usual costs are unknown (S10.163, S10.1454)', () => {
  expect(costToRepeat({ parts, input: 900, output: 150 }, context)).toEqual({ most: 400, least: 102, kind: 'about' })
  const thinks = { ...context, model: { ...model, thoughtRate: 0.5 } }
  expect(costToRepeat({ parts, input: 900, output: 150, thought }, thinks)?.most).toBe(600)
  expect(costToRepeat({ parts, input: 0, output: 0, thought }, thinks)).toMatchObject({
    ...{ most: 100 + 2500, kind: 'about' },
  })
  expect(costToRepeat({ parts: null, input: 0, output: 0 }, context)).toBeNull()
  const draws = { ...context, model: aModel({ kind: 'image', imagePrice: 2000 }) }
  expect(costToRepeat({ parts: null, input: 3, output: 1 }, draws)).toEqual({
    most: 2000,
    least: 2000,
    kind: 'exactly',
  })
})

test('a repeated search is priced at its full price (S10.630)', () => {
  const repeat = (change: object) => costToRepeat({ parts, input: 900, output: 150, web: searched, ...change }, context)
  expect(repeat({})).toEqual({ most: 400 + 1500 + 4000, least: 1602, kind: 'most' })
  expect(repeat({ parts: { ...parts, web: 3700 } })?.most).toBe(5900)
  const detailed = { ...web, request: { search: true, pages: [], detailed: true as const } }
  expect(repeat({ web: detailed })?.most).toBe(400 + 1500 + 12_000)
  expect(repeat({ web: { ...web, request: { search: false, pages: ['https://a.example/'] } } })?.most).toBe(12_400)
})

test('the rest costs the question, the text and a usual answer (S10.630)', () => {
  const begun = { parts, content: 'а'.repeat(65) }
  expect(costOfRest(begun, context)).toEqual({ most: 165 + 2 + 2000, least: 167, kind: 'about' })
  expect(costOfRest(begun, withUsual)).toEqual({ most: 1067, least: 167, kind: 'most' })
  expect(costOfRest({ ...begun, parts: null }, withUsual)).toBeNull()
})
