import { expect, test } from 'vitest'
import {
  readMoney,
  readNumber,
  readOptionalMoney,
  readOptionalNumber,
  writeMoney,
  writeNumber,
} from './number-input.ts'

test.each([
  ['500000', 500_000],
  ['500 000', 500_000],
  ['1\u00a0000\u202f000', 1_000_000],
  ['0,5', 0.5],
  ['2.25', 2.25],
  [' 7 ', 7],
])('%j is read as %d', (text, number) => {
  expect(readNumber(text)).toBe(number)
})

test.each(['', 'много', '1,5,5', '1e5', '0x10', '5 символов', ','])('%j is not a number', (text) => {
  expect(readNumber(text)).toBeNaN()
})

test('an empty field is null, a wrong field is not', () => {
  expect(readOptionalNumber(' ')).toBeNull()
  expect(readOptionalNumber('х')).toBeNaN()
  expect(readOptionalMoney('', 'BYN')).toBeNull()
})

test('money typed in roubles is stored exactly in kopecks', () => {
  expect(readMoney('9,90', 'BYN')).toBe(990)
  expect(readMoney('1 234,5', 'RUB')).toBe(123_450)
  expect(readMoney('19.99', 'USD')).toBe(1999)
  expect(readMoney('0,29', 'BYN')).toBe(29)
  expect(readMoney('70000000,07', 'BYN')).toBe(7_000_000_007)
})

test('fractions of a kopeck are invalid, and some currencies have no kopecks', () => {
  expect(readMoney('9,999', 'BYN')).toBeNaN()
  expect(readMoney('500', 'JPY')).toBe(500)
  expect(readMoney('500,5', 'JPY')).toBeNaN()
})

test('a stored number is shown as it was typed', () => {
  for (const amount of [1, 29, 990, 123_450, 7_000_000_007]) {
    expect(readMoney(writeMoney(amount, 'BYN'), 'BYN')).toBe(amount)
  }
  expect(writeMoney(990, 'BYN')).toBe('9,90')
  expect(writeMoney(null, 'BYN')).toBe('')
  expect(readNumber(writeNumber(1_234_567.25))).toBe(1_234_567.25)
  expect(writeNumber(null)).toBe('')
})
