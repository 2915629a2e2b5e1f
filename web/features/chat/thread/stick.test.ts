import { expect, test } from 'vitest'
import { isStuck } from './stick.ts'

const atEnd = { top: 1000, below: 0 }
const byHand = true
const byItself = false

test('the reader who goes up is left alone, after the smallest step', () => {
  expect(isStuck(true, atEnd, { top: 940, below: 60 }, byHand)).toBe(false)
  expect(isStuck(true, atEnd, { top: 996, below: 4 }, byHand)).toBe(false)
  expect(isStuck(false, { top: 996, below: 4 }, { top: 996, below: 30 }, byHand)).toBe(false)
})

test('the answer that grows does not count as going away', () => {
  expect(isStuck(true, atEnd, { top: 1000, below: 500 }, byItself)).toBe(true)
  expect(isStuck(true, atEnd, { top: 1000, below: 500 }, byHand)).toBe(true)
})

test('a view that is pushed a little is no going up', () => {
  expect(isStuck(true, atEnd, { top: 960, below: 44 }, byItself)).toBe(true)
})

test('a leap to something found far above is', () => {
  expect(isStuck(true, atEnd, { top: 300, below: 700 }, byItself)).toBe(false)
})

test('a reader who was away stays away while the answer grows', () => {
  expect(isStuck(false, { top: 500, below: 500 }, { top: 500, below: 900 }, byItself)).toBe(false)
})

test('going down without arriving changes nothing', () => {
  expect(isStuck(false, { top: 500, below: 500 }, { top: 700, below: 300 }, byHand)).toBe(false)
})

test('arriving at the end takes it up again', () => {
  expect(isStuck(false, { top: 500, below: 500 }, { top: 980, below: 20 }, byHand)).toBe(true)
})

test('a text that shrinks at the end is no going up', () => {
  expect(isStuck(true, atEnd, { top: 700, below: 0 }, byItself)).toBe(true)
})
