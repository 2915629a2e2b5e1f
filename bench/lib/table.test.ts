import { expect, test } from 'vitest'
import { goalText, isMet } from './table.ts'

test('a goal is a limit, a multiple of the floor, or both', () => {
  expect(isMet({ ours: 90, goal: { most: 90 } })).toBe(true)
  expect(isMet({ ours: 91, goal: { most: 90 } })).toBe(false)
  expect(isMet({ ours: 30, floor: 10, goal: { timesFloor: 2 } })).toBe(false)
  expect(isMet({ ours: 800, floor: 400, goal: { most: 900, timesFloor: 1.5 } })).toBe(false)
  expect(isMet({ ours: 800, floor: 600, goal: { most: 900, timesFloor: 1.5 } })).toBe(true)
})

test('a share of the floor has to be reached', () => {
  expect(isMet({ ours: 45, floor: 100, goal: { leastShare: 0.45 } })).toBe(true)
  expect(isMet({ ours: 44, floor: 100, goal: { leastShare: 0.45 } })).toBe(false)
})

test('a figure that could not be measured misses its goal', () => {
  expect(isMet({ ours: Number.NaN, goal: { most: 10 } })).toBe(false)
  expect(isMet({ ours: null, goal: { most: 10 } })).toBe(false)
  expect(isMet({ ours: 10, goal: { timesFloor: 2 } })).toBe(false)
})

test('goals read as they are written in a table', () => {
  expect(goalText({ most: 900, timesFloor: 1.5 })).toBe('≤ 900 и ≤ 1,500 раз')
  expect(goalText({ timesFloor: 2 })).toBe('≤ 2 раз')
  expect(goalText({ leastShare: 0.45 })).toBe('≥ 0,450 раз')
})
