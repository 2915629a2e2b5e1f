import { expect, test } from 'vitest'
import { groupByDay } from './day-groups.ts'

const now = new Date(2026, 9, 20, 0, 30)
const at = (...moment: [number, number, number, number?, number?]) => ({
  pinned: false,
  updatedAt: new Date(...moment).toISOString(),
})
const titles = (...rows: { pinned: boolean; updatedAt: string }[]) => groupByDay(rows, now).map(({ title }) => title)

test('days begin at midnight where the reader is, not a day ago', () => {
  expect(
    titles(at(2026, 9, 20, 0, 1), at(2026, 9, 19, 23, 59), at(2026, 9, 19, 0, 0), at(2026, 9, 18, 23, 59)),
  ).toEqual(['Сегодня', 'Вчера', '7 дней'])
})

test('a week back still counts as seven days, then months follow', () => {
  expect(titles(at(2026, 9, 13, 12), at(2026, 9, 12, 12), at(2026, 9, 1), at(2026, 8, 30))).toEqual([
    '7 дней',
    'Октябрь',
    'Сентябрь',
  ])
})

test('a month of another year says which year', () => {
  expect(titles(at(2026, 0, 5), at(2025, 11, 31), at(2024, 11, 31))).toEqual(['Январь', 'Декабрь 2025', 'Декабрь 2024'])
})

test('pinned threads stand together on top, however old', () => {
  const groups = groupByDay(
    [{ ...at(2020, 0, 1), pinned: true }, { ...at(2026, 9, 20), pinned: true }, at(2026, 9, 20)],
    now,
  )
  expect(groups.map(({ title, rows }) => [title, rows.length])).toEqual([
    ['Закреплённые', 2],
    ['Сегодня', 1],
  ])
})

test('a server whose clock is ahead does not invent a tomorrow', () => {
  expect(titles(at(2026, 9, 20, 0, 40), at(2026, 9, 21, 1))).toEqual(['Сегодня'])
})

test('the night the clocks change is still one day', () => {
  const spring = new Date(2026, 2, 30, 12)
  const rows = [{ pinned: false, updatedAt: new Date(2026, 2, 29, 0, 30).toISOString() }]
  expect(groupByDay(rows, spring).map(({ title }) => title)).toEqual(['Вчера'])
})

test('no threads, no headings', () => {
  expect(groupByDay([], now)).toEqual([])
})
