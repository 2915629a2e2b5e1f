import fc from 'fast-check'
import { expect, test } from 'vitest'
import { billingSize, countSymbols, lowBalanceShare, price, priceTerms } from './billing.ts'

const plain = { inputRate: 1, outputRate: 1 }

test('a symbol is a unit of string length', () => {
  expect(countSymbols('Ёж 🦔')).toBe(5)
})

test('the billing size is the last N messages plus the input (S5.25)', () => {
  const messages = ['один', 'два', 'три', 'четыре']
  expect(billingSize(messages, 'пять', { threadHistory: true, threadHistoryLimit: 3 })).toBe(3 + 3 + 6 + 4)
  expect(billingSize(messages, '', { threadHistory: true, threadHistoryLimit: 100 })).toBe(4 + 3 + 3 + 6)
})

test('without history only the last 2 messages count (S5.25)', () => {
  const messages = ['один', 'два', 'три', 'четыре']
  expect(billingSize(messages, 'пять', { threadHistory: false, threadHistoryLimit: 50 })).toBe(3 + 6 + 4)
})

test('the price is rounded up once, without noise from decimal rates', () => {
  expect(price(1240, 412, plain)).toBe(1652)
  expect(price(10, 3, { inputRate: 0.1, outputRate: 2.5 })).toBe(9)
  expect(price(30, 0, { inputRate: 0.1, outputRate: 1 })).toBe(3)
  expect(price(3, 0, { inputRate: 1.1, outputRate: 1 })).toBe(4)
})

test('more symbols never cost less, and zero symbols are free', () => {
  const rate = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 1000)
  const size = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(size, size, size, rate, rate, (input, output, more, inputRate, outputRate) => {
      const rates = { inputRate, outputRate }
      expect(price(input, output + more, rates)).toBeGreaterThanOrEqual(price(input, output, rates))
      expect(price(0, 0, rates)).toBe(0)
      expect(Number.isInteger(price(input, output, rates))).toBe(true)
    }),
  )
})

test('the shown terms add up to the price (S10.377)', () => {
  const rate = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 1000)
  const size = fc.integer({ min: 0, max: 1_000_000 })
  const rates = fc.record({
    inputRate: rate,
    outputRate: rate,
    thoughtRate: rate,
    cachedRate: fc.option(rate),
  })
  fc.assert(
    fc.property(size, size, size, size, rates, (input, output, thought, part, modelRates) => {
      const extras = { thought, cached: Math.min(input, part) }
      const sum = priceTerms(input, output, modelRates, extras).reduce(
        (all, { symbols, rate }) => all + symbols * rate,
        0,
      )
      expect(Math.abs(price(input, output, modelRates, extras) - sum)).toBeLessThan(1.00001)
    }),
  )
  const names = (extras: { thought?: number; cached?: number }) =>
    priceTerms(9, 9, { ...plain, thoughtRate: 0.5, cachedRate: 0.5 }, extras).map(({ what }) => what)
  expect(names({})).toEqual(['input', 'output'])
  expect(names({ thought: 1, cached: 1 })).toEqual(['input', 'cached', 'thought', 'output'])
})

test('warnings are due below a fifth and a twentieth of the balance', () => {
  expect(lowBalanceShare({ availableTokens: 200, capacity: 1000 })).toBeNull()
  expect(lowBalanceShare({ availableTokens: 199, capacity: 1000 })).toBe(0.2)
  expect(lowBalanceShare({ availableTokens: 49, capacity: 1000 })).toBe(0.05)
  expect(lowBalanceShare({ availableTokens: 0, capacity: 0 })).toBeNull()
})
