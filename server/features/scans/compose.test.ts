import { expect, test } from 'vitest'
import { joinParts } from '#server/files/text.ts'
import { mergePages } from './compose.ts'

const own = joinParts([
  { name: 'стр. 1', text: 'Первая' },
  { name: 'стр. 4', text: 'Четвёртая\n\nс абзацем' },
])

test('read pages stand in their places, and repeating it changes nothing (S10.754)', () => {
  const read = [
    { number: 2, text: 'Вторая' },
    { number: 3, text: '' },
    { number: 5, text: 'Пятая' },
  ]
  const once = mergePages(own, read)
  expect(once.content).toBe('Первая\n\nВторая\n\nЧетвёртая\n\nс абзацем\n\nПятая')
  expect(once.pages.map(({ name, offset }) => [name, once.content.slice(offset, offset + 3)])).toEqual([
    ...[
      ['стр. 1', 'Пер'],
      ['стр. 2', 'Вто'],
      ['стр. 4', 'Чет'],
      ['стр. 5', 'Пят'],
    ],
  ])
  expect(mergePages(once, read)).toEqual(once)
})

test('a page that is read again replaces its former text (S10.754)', () => {
  const once = mergePages({ content: '', pages: [] }, [{ number: 1, text: 'Плохо' }])
  expect(mergePages(once, [{ number: 1, text: 'Хорошо' }]).content).toBe('Хорошо')
})

test('a photo has a text without pages (S10.750)', () => {
  expect(mergePages({ content: '', pages: [] }, [{ number: 1, text: 'Чек' }], true)).toEqual({
    ...{ content: 'Чек', pages: [] },
  })
})
