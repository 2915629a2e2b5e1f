import { expect, test } from 'vitest'
import { fillPromptForComposer } from './suggest-search.ts'

test('a prompt is inserted with its empty variables as placeholders', () => {
  expect(fillPromptForComposer('Письмо о {{тема}} для {{кого=начальника}}', '2026-01-02')).toBe(
    'Письмо о [тема] для начальника',
  )
})
