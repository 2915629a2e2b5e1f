import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginsAtOnce, firstPayment, unusedPartOf } from './plan-change-terms.ts'

const now = new Date('2026-05-01T12:00:00Z')
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
const start = { price: 990, currency: 'BYN', symbols: 500_000, intervalDays: 30 }
const pro = { price: 2990, currency: 'BYN', symbols: 2_000_000, intervalDays: 30 }

test.each([
  ['just paid', 30, { days: 30, amount: 990, symbols: 500_000 }],
  ['half used', 15, { days: 15, amount: 495, symbols: 250_000 }],
  ['a begun day counts as unused', 9.5, { days: 10, amount: 330, symbols: 166_666 }],
  ['money is rounded up, symbols down', 1, { days: 1, amount: 33, symbols: 16_666 }],
  ['the last minute', 1 / 1440, { days: 1, amount: 33, symbols: 16_666 }],
  ['over', -3, { days: 0, amount: 0, symbols: 0 }],
  ['never more than was paid for', 45, { days: 30, amount: 990, symbols: 500_000 }],
])('the unused part of a period: %s', (_, left, unused) => {
  const period = { amount: 990, symbols: 500_000, intervalDays: 30, endsAt: inDays(left) }
  expect(unusedPartOf(period, now)).toEqual(unused)
})

test('a period whose money was returned leaves nothing', () => {
  expect(unusedPartOf(null, now)).toEqual({ days: 0, amount: 0, symbols: 0 })
})

test('only a plan with at least equal price and symbols starts immediately', () => {
  expect(beginsAtOnce(start, pro)).toBe(true)
  expect(beginsAtOnce(start, start)).toBe(true)
  expect(beginsAtOnce(pro, start)).toBe(false)
  expect(beginsAtOnce(start, { ...pro, symbols: 400_000 })).toBe(false)
  expect(beginsAtOnce(start, { ...pro, currency: 'RUB' })).toBe(false)
})

test('any change costs at most the price and gives its worth (S10.192)', () => {
  const sum = fc.integer({ min: 1, max: 1_000_000_000_000 })
  const days = fc.integer({ min: 1, max: 366 })
  fc.assert(
    fc.property(
      sum,
      sum,
      sum,
      sum,
      days,
      fc.integer({ min: -10, max: 400 }),
      (price, symbols, more, given, of, left) => {
        const next = { price: price + more, currency: 'BYN', symbols: symbols + given, intervalDays: 30 }
        const unused = unusedPartOf({ amount: price, symbols, intervalDays: of, endsAt: inDays(left) }, now)
        const first = firstPayment(next, unused)
        expect(first.amount).toBeGreaterThanOrEqual(1)
        expect(first.amount).toBeLessThanOrEqual(next.price)
        expect(first.symbols).toBeGreaterThanOrEqual(1)
        // The same days are taken off the money and off the symbols, each rounded in favour of the payer.
        expect(BigInt(unused.amount) * BigInt(of)).toBeGreaterThanOrEqual(BigInt(price) * BigInt(unused.days))
        expect(BigInt(unused.symbols) * BigInt(of)).toBeLessThanOrEqual(BigInt(symbols) * BigInt(unused.days))
      },
    ),
  )
})
