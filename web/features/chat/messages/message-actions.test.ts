import { expect, test } from 'vitest'
import { quote } from './message-actions.ts'

test('every line is quoted, empty ones too', () => {
  expect(quote('\nРаз\n\nДва\n')).toBe('> Раз\n>\n> Два')
})
