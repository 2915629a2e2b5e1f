import { expect, test } from 'vitest'
import { examples, pickExamples } from './example-chips.tsx'

test('four different examples are shown from any start', () => {
  for (let from = 0; from < examples.length * 2; from++) {
    expect(new Set(pickExamples(from, 4)).size).toBe(4)
  }
})

test('the next page shows examples that were not shown before', () => {
  const [first, second] = [pickExamples(0, 4), pickExamples(4, 4)]
  expect(second.filter((example) => !first.includes(example))).toHaveLength(2)
})
