import { expect, test } from 'vitest'
import { bm25 } from './rank.ts'

/** With k1 = 1.2, b = 0.4 and an average length of 1400; see the example at bm25. */
test.each([
  [1, 1400, 2],
  [3, 1400, 3.143],
  [10, 1400, 3.929],
  [3, 2800, 2.821],
  [3, 700, 3.333],
])('%d mentions in %d symbols score %d for idf 2', (mentions, length, score) => {
  expect(bm25(2, mentions, length)).toBeCloseTo(score, 3)
})

test('further mentions never score more than idf × (k1 + 1)', () => {
  expect(bm25(2, 1_000_000, 1400)).toBeCloseTo(4.4, 3)
})
