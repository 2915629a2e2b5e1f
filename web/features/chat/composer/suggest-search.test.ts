import { expect, test } from 'vitest'
import { fillForWriting } from './suggest-search.ts'

test('a prompt comes into the field with its variables to be written over', () => {
  expect(fillForWriting('Письмо о {{тема}} для {{кого=начальника}}', '2026-01-02')).toBe(
    'Письмо о [тема] для начальника',
  )
})
