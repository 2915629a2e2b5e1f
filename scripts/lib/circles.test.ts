import { expect, test } from 'vitest'
import { circlesIn } from './circles.ts'

test('circles are found by their shortest path, each file once', () => {
  const arrows = new Map([
    ['main', ['a', 'zod']],
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', ['a']],
    ['x', ['y']],
    ['y', ['x']],
    ['z', ['z']],
  ])
  expect(circlesIn(arrows)).toEqual([['a', 'c'], ['b', 'c', 'a'], ['x', 'y'], ['z']])
  expect(
    circlesIn(
      new Map([
        ['main', ['a']],
        ['a', []],
      ]),
    ),
  ).toEqual([])
})
