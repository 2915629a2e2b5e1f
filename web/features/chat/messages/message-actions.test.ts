import { expect, test } from 'vitest'
import { quote } from './message-actions.ts'

test('every line is quoted, even an empty line', () => {
  expect(quote('\nРаз\n\nДва\n')).toBe('> Раз\n>\n> Два')
})
