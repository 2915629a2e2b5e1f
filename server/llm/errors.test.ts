import { expect, test } from 'vitest'
import { LlmError, type LlmErrorKind } from './errors.ts'

const kinds: LlmErrorKind[] = ['key', 'credit', 'busy', 'down', 'timeout', 'filter', 'too_long', 'missing', 'refused']

test.each(kinds)('«%s» advises no other model where none is chosen (S10.1611)', (kind) => {
  const sentence = new LlmError(kind).sentenceWithoutChoice
  expect(sentence).not.toMatch(/друг(ую|ой)|вопрос|чат/i)
  expect(sentence).toMatch(/\.$/)
})

test('the wait of the provider is in that sentence too (S10.1611)', () => {
  expect(new LlmError('busy', { retryAfterMs: 30_000 }).sentenceWithoutChoice).toContain('через 30 с')
})
