import { expect, test } from 'vitest'
import { examples, someExamples } from './example-chips.tsx'

test('four different examples are shown, wherever one begins', () => {
  for (let from = 0; from < examples.length * 2; from++) {
    expect(new Set(someExamples(from, 4)).size).toBe(4)
  }
})

test('going on by two shows what was not shown before', () => {
  const [first, second] = [someExamples(0, 4), someExamples(4, 4)]
  expect(second.filter((example) => !first.includes(example))).toHaveLength(2)
})
