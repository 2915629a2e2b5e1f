import { expect, test } from 'vitest'
import { readNewPassword } from './account-queries.ts'
import { readEmail } from './queries.ts'

test('an address is trimmed', () => {
  expect(readEmail('  anna@mail.ru ')).toBe('anna@mail.ru')
  expect(readEmail('anna+chat@почта.рф')).toBe('anna+chat@почта.рф')
})

test.each(['', 'anna', 'anna@', '@mail.ru', 'anna@mail', 'an na@mail.ru', 'anna@mail.ru.'])(
  '«%s» is not an address',
  (text) => {
    expect(() => readEmail(text)).toThrow(expect.objectContaining({ code: 'INVALID_EMAIL' }))
  },
)

test('a new password has from 8 to 128 characters (S9.17)', () => {
  expect(readNewPassword('12345678')).toBe('12345678')
  expect(() => readNewPassword('1234567')).toThrow(expect.objectContaining({ code: 'PASSWORD_TOO_SHORT' }))
  expect(() => readNewPassword('1'.repeat(129))).toThrow(expect.objectContaining({ code: 'PASSWORD_TOO_LONG' }))
})
