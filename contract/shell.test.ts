import { expect, test } from 'vitest'
import { initials } from './shell.ts'

test.each([
  ['Анна Серова', 'АС'],
  ['Анна', 'А'],
  ['anna@example.com', 'A'],
  ['anna.serova@example.com', 'AS'],
  ['', ''],
])('«%s» is written as «%s»', (name, expected) => {
  expect(initials(name)).toBe(expected)
})
