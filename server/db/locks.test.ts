import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { advisoryLocks, namedLocks } from './locks.ts'

const root = new URL('..', import.meta.url).pathname
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|sql)$/.test(name) && !/\.test\.ts$/.test(name) && !name.startsWith('db/migrations/'))
  .map((name) => readFileSync(join(root, name), 'utf8'))

const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, value = '']) => value))),
]

test('every number of an advisory lock is in the list', () => {
  const numbers = found(/advisory_xact_lock\((\d[\d_]*)/g).map((text) => Number(text.replaceAll('_', '')))
  expect(numbers).toHaveLength(2)
  for (const number of numbers) expect(Object.values(advisoryLocks)).toContain(number)
})

test('every name of an advisory lock is in the list', () => {
  const names = found(/hashtextextended\((?:\$\{)?['`]([\w]+:?)/g)
  expect(names.toSorted()).toEqual(Object.values(namedLocks).toSorted())
})
