import { expect, test } from 'vitest'
import { imageFileName, imageIdIn } from './image-address.ts'

test('only an address of ours gives the id of its picture', () => {
  expect(imageIdIn('/api/images/01a1de64-0430/file')).toBe('01a1de64-0430')
  for (const other of [
    '/api/images/01a1de64-0430/thumbnail',
    '/api/files/01a1de64/content',
    'https://x.ru/api/images/01a1de64/file',
  ])
    expect(imageIdIn(other)).toBeNull()
})

test('a saved file is named by the first words of its description', () => {
  expect(imageFileName({ prompt: 'Рыжий кот: "на" окне/утро, масло и ещё слова', id: '1' })).toBe(
    'Рыжий-кот-на-окне-утро-масло',
  )
  expect(imageFileName({ prompt: '!!!', id: '1' })).toBe('image-1')
})
