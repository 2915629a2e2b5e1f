import { expect, test } from 'vitest'
import { formatTrashTimeLeft, groupByDay } from './thread-dates.ts'

const now = new Date(2026, 9, 20, 0, 30)
const at = (...moment: [number, number, number, number?, number?]) => ({
  pinned: false,
  updatedAt: new Date(...moment).toISOString(),
})
const titles = (...rows: { pinned: boolean; updatedAt: string }[]) => groupByDay(rows, now).map(({ title }) => title)

test('days begin at local midnight, not 24 hours ago', () => {
  expect(
    titles(at(2026, 9, 20, 0, 1), at(2026, 9, 19, 23, 59), at(2026, 9, 19, 0, 0), at(2026, 9, 18, 23, 59)),
  ).toEqual(['Сегодня', 'Вчера', '7 дней'])
})

test('threads of a week are grouped together, older threads by month', () => {
  expect(titles(at(2026, 9, 13, 12), at(2026, 9, 12, 12), at(2026, 9, 1), at(2026, 8, 30))).toEqual([
    '7 дней',
    'Октябрь',
    'Сентябрь',
  ])
})

test('a month of another year is shown with the year', () => {
  expect(titles(at(2026, 0, 5), at(2025, 11, 31), at(2024, 11, 31))).toEqual(['Январь', 'Декабрь 2025', 'Декабрь 2024'])
})

test('pinned threads of any date are in a group on top', () => {
  const groups = groupByDay(
    [{ ...at(2020, 0, 1), pinned: true }, { ...at(2026, 9, 20), pinned: true }, at(2026, 9, 20)],
    now,
  )
  expect(groups.map(({ title, rows }) => [title, rows.length])).toEqual([
    ['Закреплённые', 2],
    ['Сегодня', 1],
  ])
})

test('a time in the future is shown under today', () => {
  expect(titles(at(2026, 9, 20, 0, 40), at(2026, 9, 21, 1))).toEqual(['Сегодня'])
})

test('a day with a clock change is a single day', () => {
  const spring = new Date(2026, 2, 30, 12)
  const rows = [{ pinned: false, updatedAt: new Date(2026, 2, 29, 0, 30).toISOString() }]
  expect(groupByDay(rows, spring).map(({ title }) => title)).toEqual(['Вчера'])
})

test('an empty list has no headings', () => {
  expect(groupByDay([], now)).toEqual([])
})

const noon = new Date('2026-10-31T12:00:00.000Z')

test('a thread that was just deleted has all its days left', () => {
  expect(formatTrashTimeLeft('2026-10-31T12:00:00.000Z', noon)).toBe('Исчезнет через 30 дней')
  expect(formatTrashTimeLeft('2026-10-31T11:00:00.000Z', noon)).toBe('Исчезнет через 30 дней')
})

test('days left in the trash are counted down to the last day', () => {
  expect(formatTrashTimeLeft('2026-10-22T12:00:00.000Z', noon)).toBe('Исчезнет через 21 день')
  expect(formatTrashTimeLeft('2026-10-03T12:00:00.000Z', noon)).toBe('Исчезнет через 2 дня')
  expect(formatTrashTimeLeft('2026-10-02T12:00:00.000Z', noon)).toBe('Исчезнет в течение дня')
  expect(formatTrashTimeLeft('2026-09-01T11:00:00.000Z', noon)).toBe('Исчезнет в течение дня')
})
