import { expect, test } from 'vitest'
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatMoney,
  formatNumber,
  formatShort,
  formatSymbols,
  formatTimeOrDay,
  plural,
  upToSymbols,
} from './format.ts'

const spaced = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ')

test.each([
  [0, 'символов'],
  [1, 'символ'],
  [2, 'символа'],
  [4, 'символа'],
  [5, 'символов'],
  [11, 'символов'],
  [14, 'символов'],
  [21, 'символ'],
  [112, 'символов'],
  [1.5, 'символа'],
  [-1, 'символ'],
])('%d %s', (n, expected) => {
  expect(plural(n, 'символ', 'символа', 'символов')).toBe(expected)
})

test('symbols are written with thin spaces and never wrap', () => {
  expect(formatSymbols(58760)).toBe('58\u202f760\u00a0символов')
  expect(spaced(formatSymbols(1_000_001))).toBe('1 000 001 символ')
  expect(spaced(formatSymbols(0))).toBe('0 символов')
})

test('dates are written in Russian (S1.1)', () => {
  const when = new Date(2026, 2, 8, 9, 5)
  expect(spaced(formatDate(when))).toBe('8 марта 2026 г.')
})

test('the year is shown when it is not the current year', () => {
  const now = new Date(2026, 10, 15)
  expect(formatDay(new Date(2026, 11, 12), now)).toBe('12 декабря')
  expect(spaced(formatDay(new Date(2027, 0, 3), now))).toBe('3 января 2027 г.')
})

test.each([
  [2990, 'BYN', '29,90 BYN'],
  [99_000, 'RUB', '990 ₽'],
  [1_250_050, 'RUB', '12 500,50 ₽'],
  [500, 'JPY', '500 ¥'],
  [5.98, 'BYN', '0,06 BYN'],
  [0.598, 'BYN', '0,006 BYN'],
])('%d minor units of %s are %s', (amount, currency, text) => {
  expect(spaced(formatMoney({ amount, currency }))).toBe(text)
})

test('a list shows a time, a day or a full date (S10.185)', () => {
  const now = new Date(2026, 10, 15, 12)
  expect(formatTimeOrDay(new Date(2026, 10, 15, 9, 5), now)).toBe('09:05')
  expect(formatTimeOrDay(new Date(2026, 10, 14, 23, 59), now)).toBe('14 ноября')
  expect(spaced(formatTimeOrDay(new Date(2025, 10, 15, 9, 5), now))).toBe('15 ноября 2025 г.')
})

test('an exact moment is always written the same (S10.185)', () => {
  expect(formatDateTime(new Date(2026, 10, 3, 9, 5))).toBe('03.11.2026, 09:05')
})

test('a negative number has a minus, not a hyphen (S10.185)', () => {
  expect(formatNumber(-1200)).toBe('\u22121\u202f200')
  expect(spaced(formatMoney({ amount: -2, currency: 'USD' }))).toBe('\u22120,02 $')
  expect(spaced(formatSymbols(-5))).toBe('\u22125 символов')
})

test('an upper limit of symbols is in the genitive', () => {
  const limits = [1, 3, 843, 21, 1042].map((n) => upToSymbols(n).replaceAll(/\s/g, ' '))
  expect(limits).toEqual(['до 1 символа', 'до 3 символов', 'до 843 символов', 'до 21 символа', 'до 1 042 символов'])
})

test('whole numbers look as in Intl, except space and minus (S10.462)', () => {
  const intl = new Intl.NumberFormat('ru-RU')
  for (const n of [0, 7, 999, 1000, 1001, 12_345, 999_999, 1_000_000, 58_760_123, 2 ** 53 - 1, -1, -1000, -123_456])
    expect(formatNumber(n)).toBe(intl.format(n).replace(/\s/g, '\u202f').replace('-', '\u2212'))
  expect(formatNumber(-0)).toBe('0')
  expect(formatNumber(1234.5)).toBe('1\u202f234,5')
})

test('large numbers are shortened as Intl shortens them (S10.462)', () => {
  const intl = new Intl.NumberFormat('ru-RU', { notation: 'compact', maximumFractionDigits: 1 })
  for (const n of [1e6, 1_050_000, 1_249_999, 12_345_678, 999_949_999, 1e9, 1.25e9, 999_940_000_000, 1e12, 7.3e12])
    expect(spaced(formatShort(n))).toBe(spaced(intl.format(n)))
  expect(formatShort(999_960_000)).toBe('1\u00a0млрд')
  expect(spaced(formatShort(58_760))).toBe('58 760')
})
