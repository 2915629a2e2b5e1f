import { expect, test } from 'vitest'
import { recordingPrice } from '#contract/transcriptions.ts'
import { parseRange, srtFile, srtTime, txtFile } from './export.ts'
import { joinParts, textOf } from './join.ts'
import { formatClock } from './money.ts'

const part = (text: string, segments: { start: number; end: number; text: string }[] | null) => ({
  text,
  segments,
  seconds: null,
})

test('segment times are shifted by their part’s start and stay within it', () => {
  const joined = joinParts(
    [
      part('раз два', [
        { start: 0, end: 1.5, text: 'раз' },
        { start: 1.5, end: 4, text: 'два' },
      ]),
      part('три', [{ start: 0.25, end: 99, text: 'три' }]),
    ],
    [
      { start: 0, end: 3 },
      { start: 3, end: 5 },
    ],
  )
  expect(joined.segments).toEqual([
    { start: 0, end: 1.5, text: 'раз', speaker: null },
    { start: 1.5, end: 3, text: 'два', speaker: null },
    { start: 3.25, end: 5, text: 'три', speaker: null },
  ])
  expect(joined.text).toBe('раз два три')
})

test('a part without times becomes a single segment', () => {
  const times = [
    { start: 0, end: 2 },
    { start: 2, end: 6 },
  ]
  const mixed = joinParts([part('а', [{ start: 0, end: 1, text: 'а' }]), part('б', null)], times)
  expect(mixed.segments?.at(-1)).toEqual({ start: 2, end: 6, text: 'б', speaker: null })
  expect(joinParts([part('а', null), part('', null), part('б', null)], times)).toEqual({
    text: 'а\n\nб',
    segments: null,
  })
})

test('a long silence begins a paragraph', () => {
  const segments = [
    { start: 0, end: 1, text: 'Да.' },
    { start: 1.2, end: 2, text: 'Нет.' },
    { start: 9, end: 10, text: 'Потом.' },
  ]
  expect(textOf(segments)).toBe('Да. Нет.\n\nПотом.')
})

test('subtitles have numbers and times, and their text cannot break the format', async () => {
  const file = await srtFile([
    { start: 0, end: 1.5, text: 'Первая\n\nстрока', speaker: null },
    { start: 1.5, end: 1.5, text: ' ', speaker: null },
    { start: 3661.042, end: 3661.042, text: 'стрелка --> тут', speaker: null },
  ])
  expect(file).toBe(
    '\ufeff1\r\n00:00:00,000 --> 00:00:01,500\r\nПервая\r\nстрока\r\n\r\n' +
      '2\r\n01:01:01,042 --> 01:01:01,043\r\nстрелка → тут\r\n',
  )
  expect(srtTime(59.9996)).toBe('00:01:00,000')
  expect(await txtFile('Название', 'а\nб')).toBe('\ufeffНазвание\r\n\r\nа\r\nб\r\n')
  expect([formatClock(5), formatClock(65.4), formatClock(3725)]).toEqual(['0:05', '1:05', '1:02:05'])
})

test.each([
  [60, 400, 400],
  [1, 400, 7],
  [0.2, 400, 7],
  [59.1, 600, 600],
  [90, 0, 0],
  [3600, 1, 60],
])('%d seconds at %d a minute cost %d', (seconds, minute, price) => {
  expect(recordingPrice(seconds, minute)).toBe(price)
})

test.each([
  [undefined, null],
  ['items=0-1', null],
  ['bytes=0-', { from: 0, to: 100 }],
  ['bytes=10-19', { from: 10, to: 20 }],
  ['bytes=90-500', { from: 90, to: 100 }],
  ['bytes=-20', { from: 80, to: 100 }],
  ['bytes=100-', 'outside'],
  ['bytes=0-1,5-6', null],
])('the range %s of 100 bytes', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range)
})
