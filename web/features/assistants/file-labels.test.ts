import { expect, test } from 'vitest'
import { fileState } from './file-labels.ts'

const file = { state: 'ready', progress: 100, error: null, symbols: 900, price: null } as const

test('a file says how many of its pages have no text (S10.750)', () => {
  expect(fileState({ ...file, state: 'failed', symbols: null, scan: { pages: 12, read: 0 } })).toBe(
    'Это скан: 12 страниц.',
  )
  const mixed = fileState({ ...file, scan: { pages: 3, read: 1 } }).replace(/\s/g, ' ')
  expect(mixed).toBe('Готов · 900 символов · без текста 2 страницы')
  expect(fileState({ ...file, scan: { pages: 3, read: 3 } }).replace(/\s/g, ' ')).toBe('Готов · 900 символов')
})
