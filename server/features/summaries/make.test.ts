import { expect, test } from 'vitest'
import { endOfPart } from './make.ts'

test('a phone number is not split, so a foreign model sees nothing (S10.618)', () => {
  const [before, phone, after] = [
    'Слово за слово. Звоните И. И. Петрову, ',
    '+7 916 123-45-67',
    ' до вечера. Дальше.\nВсё.',
  ]
  const text = `${before}${phone}${after}`
  for (let at = 20; at < before.length + phone.length; at++) {
    expect(text.slice(0, endOfPart(text, at))).toBe(`${before}${phone} до вечера. `)
  }
  expect(endOfPart(text, text.length + 5)).toBe(text.length + 5)
  expect(endOfPart('1234567890', 5)).toBe(5)
})
