import { expect, test } from 'vitest'
import { longTestNames } from './test-names.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
const numbers = ['S1.1', 'S10.20'].join(', ')

test('a name may have 12 words, without the numbers of statements', () => {
  expect(longTestNames(`test('${words(12)} (${numbers})', async () => {})`)).toEqual([])
  expect(longTestNames(`test('${words(11)} – end', () => {})`)).toEqual([])
})

test.each([
  ['test', (name: string) => `test('${name}', async () => {})`],
  ['describe', (name: string) => `describe("${name}", () => {})`],
  ['test.each', (name: string) => `test.each([\n  1,\n] as const)(\n  '${name}',\n  (one) => {},\n)`],
  ['test.skipIf', (name: string) => `test.skipIf(!url)('${name}', { timeout: 1 }, run)`],
  ['a wrapper', (name: string) => `onPostgres(\`${name} \${seed}\`, run)`],
])('%s with a long name is found', (_, write) => {
  expect(longTestNames(write(words(13)))).toEqual([expect.stringContaining('word12')])
})
