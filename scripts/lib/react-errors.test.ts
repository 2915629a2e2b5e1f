import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutStacks } from './react-errors.ts'

const folder = dirname(createRequire(import.meta.url).resolve('react-dom/package.json'))
const source = readFileSync(join(folder, 'cjs/react-dom-client.production.js'), 'utf8')

test("React's signals are errors without a stack (S10.728)", () => {
  const changed = withoutStacks(source)
  expect(changed).not.toMatch(/Exception = Error\(/)
  const [, expression = ''] = changed.match(/SuspenseException = (.+),\n/) ?? []
  const signal: unknown = new Function('formatProdErrorMessage', `return ${expression}`)(() => '460')
  expect(signal).toBeInstanceOf(Error)
  expect((signal as Error).message).toBe('460')
  expect((signal as Error).stack).toBeUndefined()
})

test('another React fails the build instead of being left as it is (S10.728)', () => {
  expect(() => withoutStacks(source.replace('SuspenseActionException = Error', 'x = Error'))).toThrow('4 signals')
})
