import { expect, test } from 'vitest'
import type { MeetingNotes } from '#server/db/schema.ts'
import { joinNotes, lastStepInput, writeDocument, writeMinutes } from './documents.ts'

const empty: MeetingNotes = { summary: '', decisions: [], tasks: [], questions: [] }
const task = (what: string, more: Partial<MeetingNotes['tasks'][number]> = {}) => ({
  who: '',
  what,
  due: '',
  second: null,
  ...more,
})

test('minutes have four sections, a table of tasks and times (S10.803)', () => {
  const text = writeMinutes({
    summary: 'Обсудили аренду.',
    decisions: [{ text: 'Снять склад', second: 725 }],
    tasks: [task('Прислать договор', { who: 'Анна', due: 'до пятницы', second: 3725 }), task('Проверить | цену')],
    questions: [{ text: 'Кто платит за свет?', second: null }],
  })
  expect(text).toBe(`## Кратко

Обсудили аренду.

## Решения

1. Снять склад [12:05]

## Поручения

| Кто | Что | Срок | Время |
| --- | --- | --- | --- |
| Анна | Прислать договор | до пятницы | [1:02:05] |
| не назван | Проверить \\| цену | не назван | — |

## Открытые вопросы

- Кто платит за свет?`)
})

test('what was said twice is written once, the rest is kept (S10.803)', () => {
  const joined = joinNotes([
    {
      ...empty,
      summary: 'Начали.',
      decisions: [{ text: 'Снять склад на Лесной', second: 5 }],
      tasks: [task('Прислать договор аренды', { second: 9 })],
    },
    {
      ...empty,
      summary: 'Закончили.',
      decisions: [
        { text: 'Снять склад на лесной.', second: 800 },
        { text: 'Нанять водителя', second: 810 },
      ],
      tasks: [
        task('прислать договор аренды', { who: 'Анна', due: 'в среду', second: 900 }),
        task('Прислать счёт', { who: 'Анна', second: 950 }),
      ],
    },
  ])
  expect(joined.summary).toBe('Начали.\n\nЗакончили.')
  expect(joined.decisions.map(({ text, second }) => [text, second])).toEqual([
    ['Снять склад на Лесной', 5],
    ['Нанять водителя', 810],
  ])
  expect(joined.tasks).toEqual([
    { who: 'Анна', what: 'Прислать договор аренды', due: 'в среду', second: 9 },
    { who: 'Анна', what: 'Прислать счёт', due: '', second: 950 },
  ])
})

test('every item of every part is in the joined lists (S10.803)', () => {
  const parts = Array.from({ length: 40 }, (_, i) => ({
    ...empty,
    decisions: [{ text: `Решение про участок${i} и дорогу${i}`, second: i }],
    tasks: [task(`Задача для бригады${i} на объекте${i}`)],
  }))
  const text = writeDocument('minutes', joinNotes(parts), 'Итог')
  for (let i = 0; i < 40; i++) {
    expect(text).toContain(`участок${i} `)
    expect(text).toContain(`бригады${i} `)
  }
})

test('the list of tasks is grouped by people, nameless ones last (S10.803)', () => {
  const text = writeDocument(
    'tasks',
    {
      ...empty,
      tasks: [task('Раз', { second: 5 }), task('Два', { who: 'Анна', due: 'завтра' }), task('Три', { who: 'анна' })],
    },
    null,
  )
  expect(text).toBe('## Анна\n\n- [ ] Два — срок: завтра\n- [ ] Три\n\n## Исполнитель не назван\n\n- [ ] Раз [0:05]')
})

test('words of a model make no link, image, heading or list (S10.808)', () => {
  const text = writeMinutes({
    ...empty,
    summary: '# Внимание\n\n1. нажмите [сюда](https://evil.test)',
    decisions: [{ text: '![x](https://evil.test/a.png) <img src=x>', second: null }],
  })
  expect(text).toContain('\\# Внимание')
  expect(text).toContain('1\\. нажмите \\[сюда\\](https://evil.test)')
  expect(text).toContain('1. !\\[x\\](https://evil.test/a.png) \\<img src=x\\>')
})

test('the last step reads something of each part within its limit (S10.800)', () => {
  const parts = Array.from({ length: 80 }, (_, i) => ({
    ...empty,
    summary: `Часть${i} ${'слово '.repeat(400)}`,
    decisions: Array.from({ length: 20 }, (_, n) => ({
      text: `Решение${i}-${n} ${'слово '.repeat(60)}`,
      second: null,
    })),
  }))
  const summaries = lastStepInput('summary', parts, 24_000)
  expect(summaries.length).toBeLessThanOrEqual(24_000)
  for (let i = 0; i < 80; i++) expect(summaries).toContain(`Часть${i} `)
  expect(lastStepInput('letter', parts, 24_000).length).toBeLessThanOrEqual(24_000)
})
