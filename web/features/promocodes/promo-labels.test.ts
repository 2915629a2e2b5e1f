import { expect, test } from 'vitest'
import { giftLabel, madeLabel, periodLabel, usesLabel } from './promo-labels.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('the value of a code is written in words', () => {
  expect(plain(giftLabel({ symbols: 20_000, discountPercent: null }))).toBe('20 000 символов')
  expect(plain(giftLabel({ symbols: 0, discountPercent: 20 }))).toBe('скидка 20 % на первый платёж')
})

test('uses are shown with their limit', () => {
  expect(usesLabel({ uses: 3, maxUses: 10 })).toBe('3 из 10')
  expect(usesLabel({ uses: 3, maxUses: null })).toBe('3, без ограничения')
})

test('a period with an open end shows only the other end', () => {
  const day = new Date(2026, 5, 15, 9, 30).toISOString()
  expect(periodLabel({ startsAt: null, expiresAt: null })).toBe('всегда')
  expect(plain(periodLabel({ startsAt: day, expiresAt: null }))).toMatch(/^с 15\.06\.2026, /)
  expect(plain(periodLabel({ startsAt: null, expiresAt: day }))).toMatch(/^до 15\.06\.2026, /)
  expect(plain(periodLabel({ startsAt: day, expiresAt: day }))).toMatch(/^с 15\.06\.2026, .* до 15\.06\.2026, /)
})

test('the number of created codes has the right Russian plural', () => {
  expect([1, 2, 50].map(madeLabel)).toEqual(['Создан 1 промокод', 'Созданы 2 промокода', 'Создано 50 промокодов'])
})
