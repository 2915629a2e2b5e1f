import { expect, test } from 'vitest'
import { findRegressions } from './compare.ts'
import { mergeParts, type ResultPart, type ResultTable } from './results.ts'

type ResultRow = ResultTable['rows'][number]

const aPart = (rows: ResultRow[], part = 'page'): ResultPart => ({
  part,
  date: '2026-01-01T00:00:00.000Z',
  commit: 'abc',
  isCorrect: true,
  tables: [{ title: 'Таблица', rows }],
})

/** Why a figure that was `before` and is `now` counts as worse; undefined when it does not. */
const reasonOf = (before: Omit<ResultRow, 'what'>, now: Omit<ResultRow, 'what'>) =>
  findRegressions([aPart([{ what: 'число', ...before }])], [aPart([{ what: 'число', ...now }])])[0]?.reason

test('bytes and counts are worse by any growth (S10.423)', () => {
  expect(reasonOf({ ours: 110, isExact: true }, { ours: 110.2, isExact: true })).toBe('grown')
  expect(reasonOf({ ours: 14, isExact: true }, { ours: 15, isExact: true })).toBe('grown')
  expect(reasonOf({ ours: 110, isExact: true }, { ours: 110.04, isExact: true })).toBeUndefined()
  expect(reasonOf({ ours: 110, isExact: true }, { ours: 90, isExact: true })).toBeUndefined()
})

test('a time is compared by its ratio to the floor (S10.423)', () => {
  expect(reasonOf({ ours: 100, floor: 50 }, { ours: 400, floor: 200 })).toBeUndefined()
  expect(reasonOf({ ours: 100, floor: 50 }, { ours: 115, floor: 50 })).toBeUndefined()
  expect(reasonOf({ ours: 100, floor: 50 }, { ours: 125, floor: 50 })).toBe('slower')
})

test('a time without a floor is worse when half as long again', () => {
  expect(reasonOf({ ours: 100 }, { ours: 140 })).toBeUndefined()
  expect(reasonOf({ ours: 100 }, { ours: 160 })).toBe('slower')
  expect(reasonOf({ ours: 100, floor: 50 }, { ours: 140 })).toBeUndefined()
})

test('a figure that should be large is worse when it is smaller', () => {
  const goal = { leastShare: 0.45 }
  expect(reasonOf({ ours: 60, floor: 100, goal }, { ours: 49, floor: 100, goal })).toBe('slower')
  expect(reasonOf({ ours: 46, floor: 100, goal }, { ours: 44, floor: 100, goal })).toBe('goal')
  expect(reasonOf({ ours: 46, floor: 100, goal }, { ours: 90, floor: 100, goal })).toBeUndefined()
})

test('a goal that is no longer reached is named (S10.423)', () => {
  const goal = { most: 100 }
  expect(reasonOf({ ours: 99, goal }, { ours: 101, goal })).toBe('goal')
  expect(reasonOf({ ours: 101, goal }, { ours: 102, goal })).toBeUndefined()
  expect(reasonOf({ ours: 0, goal }, { ours: 3, goal })).toBeUndefined()
})

test('a stricter goal does not make the figure worse', () => {
  expect(reasonOf({ ours: 99, goal: { most: 100 } }, { ours: 98, goal: { most: 50 } })).toBeUndefined()
})

test('a figure that can no longer be measured is named', () => {
  expect(reasonOf({ ours: 12 }, { ours: null })).toBe('failed')
  expect(reasonOf({ ours: null }, { ours: 12 })).toBeUndefined()
})

test('figures are compared within their part, table and place', () => {
  const before = [
    aPart([
      { what: 'CPU', ours: 10 },
      { what: 'CPU', ours: 1000 },
    ]),
  ]
  expect(
    findRegressions(before, [
      aPart([
        { what: 'CPU', ours: 10 },
        { what: 'CPU', ours: 1000 },
      ]),
    ]),
  ).toEqual([])
  expect(findRegressions(before, [aPart([{ what: 'CPU', ours: 500 }], 'streams')])).toEqual([])
  expect(
    findRegressions(before, [
      aPart([
        { what: 'CPU', ours: 10 },
        { what: 'CPU', ours: 2000 },
      ]),
    ]),
  ).toEqual([{ table: 'Таблица', what: 'CPU', before: 1000, now: 2000, reason: 'slower' }])
})

test('parts that were not measured keep their last figures', () => {
  const [page, streams] = [aPart([{ what: 'кБ', ours: 1 }]), aPart([{ what: 'CPU', ours: 2 }], 'streams')]
  const fresh = aPart([{ what: 'кБ', ours: 3 }])
  expect(mergeParts([page, streams], [fresh])).toEqual([streams, fresh])
})
