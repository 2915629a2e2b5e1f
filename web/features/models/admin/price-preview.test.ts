import { expect, test } from 'vitest'
import { anAdminModel } from '#web/testing/samples.ts'
import { needsRate, previewPrice } from './price-preview.ts'

const model = anAdminModel({ costInput: 300, costOutput: 900, costCurrency: 'BYN' })
/** 500 000 symbols for 10 roubles: a thousand is 2 kopecks. */
const plan = { price: 1000, symbols: 500_000, currency: 'BYN' }

test('a thousand symbols show their price, revenue, cost and margin', () => {
  const [output, input] = previewPrice(model, { plan, rate: null })
  expect(output).toMatchObject({ what: 'output', symbols: 2000, revenue: { amount: 4, currency: 'BYN' } })
  // 334 tokens of three symbols each, at 9 roubles a million.
  expect(output?.cost?.amount).toBeCloseTo(0.3006, 6)
  expect(output?.margin?.money.amount).toBeCloseTo(3.6994, 6)
  expect(output?.margin?.share).toBeCloseTo(0.92485, 5)
  expect(input).toMatchObject({ what: 'input', symbols: 1000, revenue: { amount: 2, currency: 'BYN' } })
})

test('a thinking model shows revenue and cost of thoughts and cache (S10.379)', () => {
  const thinks = { ...model, thinks: true, thoughtRate: 0.5, cachedRate: 0.25, costCached: 60 }
  const [, thought, , cached] = previewPrice(thinks, { plan, rate: null })
  expect(thought).toMatchObject({ what: 'thought', symbols: 500, revenue: { amount: 1 } })
  expect(thought?.cost?.amount).toBeCloseTo(0.3006, 6)
  expect(cached).toMatchObject({ what: 'cached', symbols: 250, revenue: { amount: 0.5 } })
  expect(cached?.cost?.amount).toBeCloseTo(0.02004, 6)
  const [, free] = previewPrice({ ...thinks, thoughtRate: 0 }, { plan, rate: null })
  expect(free).toMatchObject({ what: 'thought', symbols: 0 })
  expect(free?.margin?.money.amount).toBeLessThan(0)
  expect(previewPrice(model, { plan, rate: null }).map(({ what }) => what)).toEqual(['output', 'input'])
})

test('a cost in another currency needs an exchange rate', () => {
  const abroad = { ...model, costCurrency: 'USD' }
  expect(needsRate(abroad, plan)).toBe(true)
  expect(needsRate(model, plan)).toBe(false)
  expect(needsRate({ ...abroad, costInput: null, costOutput: null }, plan)).toBe(false)
  expect(previewPrice(abroad, { plan, rate: null })[0]?.margin).toBeNull()
  expect(previewPrice(abroad, { plan, rate: 0 })[0]?.margin).toBeNull()
  expect(previewPrice(abroad, { plan, rate: Number.NaN })[0]?.margin).toBeNull()
  expect(previewPrice(abroad, { plan, rate: 3 })[0]?.margin?.money.amount).toBeCloseTo(4 - 0.3006 * 3, 6)
})

test('a model that costs more than it brings shows a loss', () => {
  const [output] = previewPrice({ ...model, outputRate: 0.1 }, { plan, rate: null })
  expect(output?.margin?.money.amount).toBeLessThan(0)
  const [free] = previewPrice({ ...model, outputRate: 0 }, { plan, rate: null })
  expect(free?.margin).toMatchObject({ share: null })
})

test('no margin is shown without a plan or a cost', () => {
  expect(previewPrice(model, { plan: null, rate: null })[0]).toMatchObject({
    symbols: 2000,
    revenue: null,
    margin: null,
  })
  const [output] = previewPrice({ ...model, costOutput: null }, { plan, rate: null })
  expect(output).toMatchObject({ cost: null, margin: null })
})

test('an image and a minute have their own prices', () => {
  const image = { ...model, kind: 'image', imagePrice: 5000 } as const
  expect(previewPrice(image, { plan, rate: null })).toMatchObject([
    { what: 'image', symbols: 5000, revenue: { amount: 10 }, cost: { amount: 0.9, currency: 'BYN' } },
  ])
  expect(previewPrice(image, { plan, rate: null })[0]?.margin?.money.amount).toBeCloseTo(9.1, 6)
  expect(previewPrice({ ...image, costOutput: null }, { plan, rate: null })).toMatchObject([
    { cost: null, margin: null },
  ])
  expect(previewPrice({ ...image, imagePrice: null }, { plan, rate: null })).toEqual([])
  const sound = { ...model, kind: 'transcription', minutePrice: 400 } as const
  expect(previewPrice(sound, { plan, rate: null })).toMatchObject([{ what: 'minute', symbols: 400 }])
})
