import { expect, test } from 'vitest'
import { aPlan } from '#web/testing/samples.ts'
import { consentText, everyDays, firstRenewal, perDays, pricePerThousand } from './plan-terms.ts'

const plan = aPlan({ price: 2990 })
const spaced = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ')

test.each([
  [1, 'каждый день', 'за день'],
  [7, 'каждые 7 дней', 'за 7 дней'],
  [21, 'каждый 21 день', 'за 21 день'],
  [30, 'каждые 30 дней', 'за 30 дней'],
  [92, 'каждые 92 дня', 'за 92 дня'],
])('a period of %d: %s, %s', (days, often, long) => {
  expect(spaced(everyDays(days))).toBe(often)
  expect(spaced(perDays(days))).toBe(long)
})

test('the consent names the sum, how often and until when (S10.66)', () => {
  expect(spaced(consentText(plan))).toBe('Соглашаюсь на автоматическое списание 29,90 BYN каждые 30 дней до отмены')
})

test('the next charge is a period away (S10.66)', () => {
  expect(firstRenewal(plan, new Date('2026-11-15T12:00:00Z')).toISOString()).toBe('2026-12-15T12:00:00.000Z')
})

test('plans are compared by the price of a thousand symbols', () => {
  expect(spaced(pricePerThousand(plan))).toBe('0,06 BYN')
})
