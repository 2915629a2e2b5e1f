import { expect, test } from 'vitest'
import { chunksOf, differences, readOrder, writeOrder } from './text.ts'

const order = { nonce: 'ab12', words: 6, gapMs: 10, mode: 'speak' }
const said = chunksOf(order, 1).join('')

test('an order is read as it was written', () => {
  expect(readOrder(writeOrder(order))).toEqual(order)
  expect(readOrder('Здравствуйте')).toBeNull()
})

test('every word names its answer, its run and its place', () => {
  expect(said).toBe('ab12.1:0 ab12.1:1 ab12.1:2 ab12.1:3 ab12.1:4 ab12.1:5 ')
})

test('the beginning of what was said has no faults, wherever it is cut', () => {
  for (let length = 0; length <= said.length; length++)
    expect(differences(said.slice(0, length), said)).toEqual({ lost: 0, duplicated: 0 })
})

test('a hole is counted by its symbols', () => {
  expect(differences(said.replace('ab12.1:2 ', ''), said)).toEqual({ lost: 9, duplicated: 0 })
})

test('a repeated word and a word of another run are counted by their symbols', () => {
  expect(differences(said.replace('ab12.1:2 ', 'ab12.1:2 ab12.1:2 '), said)).toEqual({ lost: 0, duplicated: 9 })
  expect(differences(`${said}ab12.2:0 `, said)).toEqual({ lost: 0, duplicated: 9 })
})

test('words in another order are a fault', () => {
  const mixed = 'ab12.1:1 ab12.1:0 '
  expect(differences(mixed, said).lost).toBeGreaterThan(0)
})
