import { expect, test } from 'vitest'
import type { StoredSpeaker } from '#server/db/schema.ts'
import { namedText, srtFile, vttFile } from './export.ts'
import { changeSpeakers, correctedSegments, shownSegments, shownSpeakers, speakersIn } from './speakers.ts'
import { spokenLines, turnsOf } from './spoken-lines.ts'

const segments = [
  { start: 0, end: 2, text: ' Добрый день.', speaker: 's1' },
  { start: 2, end: 3, text: 'Здравствуйте.', speaker: 's2' },
  { start: 3, end: 5, text: 'Начнём.', speaker: 's2' },
  { start: 5, end: 6, text: ' ', speaker: 's1' },
]
const [first, second] = speakersIn(segments) as [StoredSpeaker, StoredSpeaker]

test('a speaker has the usual name until renamed, everywhere at once (S10.781)', () => {
  expect(shownSpeakers([first, second]).map(({ name }) => name)).toEqual(['Участник 1', 'Участник 2'])
  const renamed = changeSpeakers([first, second], [{ key: 's2', name: 'Анна', color: 5 }])
  expect(shownSpeakers(renamed)[1]).toEqual({ key: 's2', name: 'Анна', color: 5 })
  expect(spokenLines({ text: '', segments, speakers: renamed })).toEqual([
    { second: 0, speaker: 'Участник 1', key: 's1', text: 'Добрый день.' },
    { second: 2, speaker: 'Анна', key: 's2', text: 'Здравствуйте.' },
    { second: 3, speaker: 'Анна', key: 's2', text: 'Начнём.' },
  ])
  expect(shownSpeakers(changeSpeakers(renamed, [{ key: 's2', name: '' }]))[1]?.name).toBe('Участник 2')
  expect(() => changeSpeakers(renamed, [{ key: 's9', name: 'Кто' }])).toThrow('Такого участника')
})

test('two speakers become one and can be separated again (S10.782)', () => {
  const joined = changeSpeakers([first, second], [{ key: 's2', joinedTo: 's1' }])
  expect(shownSpeakers(joined).map(({ key }) => key)).toEqual(['s1'])
  expect(shownSegments(segments, joined).map(({ speaker }) => speaker)).toEqual(['s1', 's1', 's1', 's1'])
  expect(() => changeSpeakers(joined, [{ key: 's1', joinedTo: 's2' }])).toThrow('уже объединены')
  // A correction made in between keeps who spoke.
  const corrected = correctedSegments(
    shownSegments(segments, joined).map((segment) => ({ ...segment, text: `${segment.text}!` })),
    segments,
    joined,
  )
  const separated = changeSpeakers(joined, [{ key: 's2', joinedTo: null }])
  expect(shownSegments(corrected, separated).map(({ speaker }) => speaker)).toEqual(['s1', 's2', 's2', 's1'])
})

test('a corrected line keeps its speaker unless another is named (S10.783)', () => {
  const stored = [first, second]
  const fixed = [
    { start: 0, end: 2, text: 'Добрый вечер.' },
    { start: 2, end: 3, text: 'Здравствуйте.', speaker: 's1' },
    { start: 3, end: 5, text: 'Начнём.', speaker: 's7' },
  ]
  expect(correctedSegments(fixed, segments, stored).map(({ speaker }) => speaker)).toEqual(['s1', 's1', null])
})

test('TXT, SRT and VTT name who spoke (S10.784)', async () => {
  const speakers = changeSpeakers([first, second], [{ key: 's1', name: 'Пётр <b>' }])
  expect(namedText({ text: '', segments, speakers })).toBe(
    'Пётр <b>: Добрый день.\n\nУчастник 2: Здравствуйте. Начнём.',
  )
  expect(namedText({ text: 'Просто текст', segments: null, speakers: [] })).toBe('Просто текст')
  const subtitle = { start: 1, end: 2.5, text: 'а < б & --> в', speaker: 'Пётр <b>' }
  expect(await srtFile([subtitle])).toContain('00:00:01,000 --> 00:00:02,500\r\n[Пётр <b>] а < б & → в\r\n')
  expect(await vttFile([subtitle])).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Пётр &lt;b>а &lt; б &amp; → в\n')
  expect(turnsOf(spokenLines({ text: '', segments, speakers })).map(({ lines }) => lines.length)).toEqual([1, 2])
})
