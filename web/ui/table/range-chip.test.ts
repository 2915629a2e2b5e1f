import { expect, test } from 'vitest'
import { rangeLabel, readEnd } from './range-chip.tsx'

test('a range is written in words, either end may be open', () => {
  expect(rangeLabel('Баланс', { from: '', to: '' }, 'number')).toBeNull()
  expect(rangeLabel('Баланс', { from: '1000', to: '' }, 'number')).toBe('Баланс от 1\u202f000')
  expect(rangeLabel('Баланс', { from: '1', to: '20' }, 'number')).toBe('Баланс от 1 до 20')
  expect(rangeLabel('Период', { from: '2026-11-01', to: '' }, 'date')).toMatch(/^Период с 1 нояб/)
})

test('a number may have spaces and a comma; invalid numbers are empty', () => {
  expect(readEnd(' 1 000,5 ', 'number')).toBe('1000.5')
  expect(readEnd('0', 'number')).toBe('0')
  expect(readEnd('-3', 'number')).toBe('')
  expect(readEnd('много', 'number')).toBe('')
  expect(readEnd('2026-11-01', 'date')).toBe('2026-11-01')
})
