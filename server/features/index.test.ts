import { expect, test } from 'vitest'
import { features } from './index.ts'

const names = features.map(({ name }) => name)
const inOrder = (...wanted: string[]) => expect(names.filter((name) => wanted.includes(name))).toEqual(wanted)

test('each feature is in the list once', () => {
  expect(new Set(names).size).toBe(names.length)
})

test('answers and images settle their holds before billing releases abandoned ones', () => {
  inOrder('answers', 'images', 'billing')
})

test('a deletion stops answers before traces are stored and files marked', () => {
  inOrder('answers', 'billing', 'payments', 'storage')
})

test('a new session has a profile before the start gift', () => {
  inOrder('users', 'billing')
})

test('a thread is named before its summary is made', () => {
  inOrder('threads', 'summaries')
})
