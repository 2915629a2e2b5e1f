import { describe, expect, test } from 'vitest'
import { readLooseJson } from './loose-json.ts'
import { lineSecond, readNotes, readSecond, withNames } from './notes.ts'

const part = {
  lines: [0, 10, 20.7].map((second) => ({ second, speaker: null, text: 'Слова.' })),
  text: '',
  until: 30,
}
const notes = {
  summary: 'Обсудили аренду.',
  decisions: [{ text: 'Снять склад', time: 10 }],
  tasks: [{ who: 'Анна', what: 'Прислать договор', due: 'до пятницы', time: 20 }],
  questions: [{ text: 'Кто платит за свет?', time: 0 }],
}
const read = {
  summary: 'Обсудили аренду.',
  decisions: [{ text: 'Снять склад', second: 10 }],
  tasks: [{ who: 'Анна', what: 'Прислать договор', due: 'до пятницы', second: 20 }],
  questions: [{ text: 'Кто платит за свет?', second: 0 }],
}
const json = JSON.stringify(notes)

describe('reading notes', () => {
  test.each([
    ['plain', json],
    ['in a fence with words around', `Вот протокол:\n\`\`\`json\n${json}\n\`\`\`\nГотово.`],
    ['with commas too many', json.replaceAll('}]', '},]').replace(/}$/, ',}')],
    ['without commas between fields', json.replaceAll('","', '" "')],
    ['indented', JSON.stringify(notes, null, 2)],
    ['cut off before the last brackets', json.slice(0, -3)],
    ['with names in single quotes', json.replaceAll(/"(summary|tasks|text|what|due)":/g, "'$1':")],
    ['with names without quotes', json.replaceAll(/"(summary|tasks|text|time)":/g, '$1:')],
    ['with times as clocks', json.replace('"time":10', '"time":"0:10"').replace('"time":20', '"time":"[20]"')],
  ])('notes %s are understood (S10.802)', (_, answer) => {
    expect(readNotes(answer, part)).toEqual(read)
  })

  test('quotes and line breaks inside a text do not end it (S10.802)', () => {
    const answer =
      '{"summary": "Договор с ООО "Ромашка", а также\nс "Лютиком".", "tasks": [{"what": "Позвонить в "Ромашку"", "who": "Анна"}]}'
    const given = readNotes(answer, part)
    expect(given?.summary).toBe('Договор с ООО "Ромашка", а также с "Лютиком".')
    expect(given?.tasks).toEqual([{ who: 'Анна', what: 'Позвонить в "Ромашку"', due: '', second: null }])
  })

  test('a list of plain texts and empty words are understood', () => {
    const given = readNotes(
      '{"decisions": ["Снять склад"], "tasks": [{"what": "Проверить", "who": "не указано", "due": "—"}]}',
      part,
    )
    expect(given?.decisions).toEqual([{ text: 'Снять склад', second: null }])
    expect(given?.tasks).toEqual([{ who: '', what: 'Проверить', due: '', second: null }])
  })

  test('signs that the database refuses are left out', () => {
    expect(readNotes('{"summary": "А\\u0000Б \\ud83d В\\u0007"}', part)?.summary).toBe('АБ \ufffd В')
  })

  test.each(['', 'Не могу помочь.', '[1, 2]', '{"answer": "нет"}', '{{{{'])('%j are no notes', (answer) => {
    expect(readNotes(answer, part)).toBeNull()
  })

  test('endless brackets and quotes end in time', () => {
    for (const sign of ['{"a":', '[', '{', '"', '{"a":["'])
      expect(() => readLooseJson(`{"summary":${sign.repeat(20_000)}`)).not.toThrow()
  })
})

describe('times', () => {
  test('a time is the beginning of a line, or none (S10.801)', () => {
    expect([0, 9.9, 10, 19, 20, 29].map((second) => lineSecond(second, part))).toEqual([0, 0, 10, 10, 20, 20])
    expect([-1, 30, 31, 4000].map((second) => lineSecond(second, part))).toEqual([null, null, null, null])
    const later = { ...part, lines: part.lines.slice(1), until: null }
    expect([5, 25, 900].map((second) => lineSecond(second, later))).toEqual([null, 20, null])
  })

  test('a recording without times has none (S10.801)', () => {
    expect(lineSecond(5, { lines: [{ second: null, speaker: null, text: 'а' }], until: null })).toBeNull()
  })

  test.each([
    [725, 725],
    ['725', 725],
    ['[725]', 725],
    ['12:05', 725],
    ['1:02:05', 3725],
    ['нет', null],
    [-3, null],
    [Number.NaN, null],
    [null, null],
  ])('the time %j is %j seconds', (given, seconds) => {
    expect(readSecond(given)).toBe(seconds)
  })
})

test('names are exchanged at once and only as whole words (S10.797)', () => {
  const notes = {
    summary: 'Анна и Анна Ли спорят с Участником 3.',
    decisions: [{ text: 'Решает Борис, не Борисов.', second: null }],
    tasks: [{ who: 'Анна', what: 'Позвонить: Борис', due: '', second: 1 }],
    questions: [],
  }
  const before = { s1: 'Анна', s2: 'Борис', s3: 'Участник 3', s4: 'Анна Ли' }
  const now = { s1: 'Борис', s2: 'Анна', s3: 'Вера (юрист)', s4: 'Анна Ли' }
  expect(withNames(notes, before, now)).toEqual({
    summary: 'Борис и Анна Ли спорят с Вера (юрист).',
    decisions: [{ text: 'Решает Анна, не Борисов.', second: null }],
    tasks: [{ who: 'Борис', what: 'Позвонить: Анна', due: '', second: 1 }],
    questions: [],
  })
  expect(withNames(notes, before, before)).toBe(notes)
})
