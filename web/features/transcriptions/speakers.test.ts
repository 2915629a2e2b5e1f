import { expect, test } from 'vitest'
import { findHits } from './find.ts'
import { beginsTurn, firstWords, sharesOfTime, speakerOf, textWithNames, turnBy } from './speakers.ts'

const speakers = [
  { key: 's1', name: 'Анна', color: 0 },
  { key: 's2', name: 'Участник 2', color: 1 },
]
const segments = [
  { start: 0, end: 6, text: ' Добрый день.', speaker: 's1' },
  { start: 6, end: 8, text: 'Здравствуйте.', speaker: 's2' },
  { start: 8, end: 10, text: 'Ещё раз.', speaker: 's2' },
  { start: 10, end: 30, text: 'Шум.', speaker: null },
]

test('shares are of the time in which somebody is known to speak (S10.792)', () => {
  expect([...sharesOfTime(segments)]).toEqual([
    ['s1', 60],
    ['s2', 40],
  ])
  expect([...sharesOfTime([{ start: 1, end: 1, text: '', speaker: 's1' }])]).toEqual([['s1', 0]])
})

test('lines of one person are a turn that can be moved (S10.783, S10.792)', () => {
  expect(segments.map((_, index) => beginsTurn(segments, index))).toEqual([true, true, false, true])
  expect(turnBy(segments, 1, 's1').map(({ speaker }) => speaker)).toEqual(['s1', 's1', 's1', null])
  expect(textWithNames(segments, speakers)).toBe('Анна: Добрый день.\n\nУчастник 2: Здравствуйте. Ещё раз.\n\nШум.')
  expect(firstWords(segments, 's2')).toBe('Здравствуйте.')
  expect(speakerOf(speakers, 's7')).toEqual({ key: 's7', name: 'Участник 7', color: 0 })
})

test('words are found whatever their case and «ё» (S10.793)', () => {
  expect(findHits(segments, ' ЕЩЕ ')).toEqual([{ segment: 2, from: 0, to: 3 }])
  expect(findHits([{ text: 'да, да İ да' }], 'да').map(({ from }) => from)).toEqual([0, 4, 9])
  expect(findHits(segments, '  ')).toEqual([])
})
