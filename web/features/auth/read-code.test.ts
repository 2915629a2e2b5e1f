import { expect, test } from 'vitest'
import { readCode, readRecoveryCode } from './read-code.ts'

test('a code may be typed with a space in the middle', () => {
  expect(readCode(' 123 456 ')).toBe('123456')
})

test('only six digits are sent', () => {
  for (const typed of ['', '12345', '1234567', 'abcdef']) expect(() => readCode(typed)).toThrow('6')
})

test('a recovery code can have capitals, spaces and no dash', () => {
  expect(readRecoveryCode(' ABCDE FGHJK ')).toBe('abcde-fghjk')
  expect(readRecoveryCode('abcdefghjk')).toBe('abcde-fghjk')
  expect(() => readRecoveryCode('abcde')).toThrow('десять')
})
