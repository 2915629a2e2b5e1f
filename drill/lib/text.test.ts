import { expect, test } from 'vitest'
import { chunksOf, differences, readSpec, writeSpec } from './text.ts'

const spec = { nonce: 'ab12', words: 6, gapMs: 10, mode: 'speak' }
const spoken = chunksOf(spec, 1).join('')

test('an order is read as it was written', () => {
  expect(readSpec(writeSpec(spec))).toEqual(spec)
  expect(readSpec('Здравствуйте')).toBeNull()
})

test('every word names its answer, run and place', () => {
  expect(spoken).toBe('ab12.1:0 ab12.1:1 ab12.1:2 ab12.1:3 ab12.1:4 ab12.1:5 ')
})

test('the sent text has no faults when it is cut anywhere', () => {
  for (let length = 0; length <= spoken.length; length++)
    expect(differences(spoken.slice(0, length), spoken)).toEqual({ lost: 0, duplicated: 0 })
})

test('a hole is counted by its symbols', () => {
  expect(differences(spoken.replace('ab12.1:2 ', ''), spoken)).toEqual({ lost: 9, duplicated: 0 })
})

test('repeated words and words of another run are counted by symbols', () => {
  expect(differences(spoken.replace('ab12.1:2 ', 'ab12.1:2 ab12.1:2 '), spoken)).toEqual({ lost: 0, duplicated: 9 })
  expect(differences(`${spoken}ab12.2:0 `, spoken)).toEqual({ lost: 0, duplicated: 9 })
})

test('words in another order are a fault', () => {
  const mixed = 'ab12.1:1 ab12.1:0 '
  expect(differences(mixed, spoken).lost).toBeGreaterThan(0)
})
