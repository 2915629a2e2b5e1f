import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffText } from './text-diff.ts'

const joined = (parts: ReturnType<typeof diffText>, ...types: string[]) =>
  parts
    .filter(({ type }) => types.includes(type))
    .map(({ text }) => text)
    .join('')

test('only the changed word is marked', () => {
  expect(diffText('Напиши письмо клиенту.', 'Напиши короткое письмо другу.')).toEqual([
    { type: 'same', text: 'Напиши ' },
    { type: 'added', text: 'короткое ' },
    { type: 'same', text: 'письмо ' },
    { type: 'removed', text: 'клиенту' },
    { type: 'added', text: 'другу' },
    { type: 'same', text: '.' },
  ])
  expect(diffText('то же', 'то же')).toEqual([{ type: 'same', text: 'то же' }])
  expect(diffText('', 'новое')).toEqual([{ type: 'added', text: 'новое' }])
  expect(diffText('', '')).toEqual([])
})

test('the parts of a diff give back both texts', () => {
  const text = fc.array(fc.constantFrom('а', 'б', ' ', '\n', '🙂', 'слово', '.', '{{')).map((words) => words.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffText(before, after)
      expect(joined(parts, 'same', 'removed')).toBe(before)
      expect(joined(parts, 'same', 'added')).toBe(after)
    }),
  )
})

test('a long text with many changes is compared word by word', () => {
  const words = Array.from({ length: 3000 }, (_, i) => `слово${i}`)
  const parts = diffText(words.join(' '), words.map((word, i) => (i % 30 === 0 ? 'иначе' : word)).join(' '))
  expect(parts.filter(({ type }) => type === 'added')).toEqual(Array(100).fill({ type: 'added', text: 'иначе' }))
})

test('two long texts with nothing in common are compared quickly', () => {
  const [old, now] = ['раз '.repeat(2500), 'два\n'.repeat(2500)]
  const parts = diffText(`начало ${old}конец`, `начало ${now}конец`)
  expect(joined(parts, 'same', 'removed')).toBe(`начало ${old}конец`)
  expect(joined(parts, 'same', 'added')).toBe(`начало ${now}конец`)
})
