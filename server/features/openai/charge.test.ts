import { expect, test } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { LlmError } from '#server/llm/errors.ts'
import { type ChatRun, chargeOf, endedByFilter } from './charge.ts'

const run = (parts: Partial<ChatRun> = {}): ChatRun => ({
  ...{ reason: 'stop', usage: null, hiddenThought: 0, hasRunOut: false, isInFlight: true, failure: null },
  sent: { output: 0, thought: 0 },
  ...parts,
})
const usual = { hasLeft: false, isWhole: false, hasStops: false, thoughtRate: 1 }
const endedKey = { error: new AppError('unauthorized', 'Ключ API отключён.') }
const sent = { output: 3, thought: 2 }
const nothing = { output: 0, thought: 0 }

test.each([
  ['a model that gives nothing', run(), usual, { delivered: nothing, withoutOutput: 'free' }],
  ['a cut by stop words', run(), { ...usual, hasStops: true }, { withoutOutput: 'stop' }],
  ['a cut by the length', run({ reason: 'length' }), usual, { withoutOutput: 'stop' }],
  ['a filter', run({ reason: 'content_filter' }), { ...usual, hasStops: true }, { withoutOutput: 'free' }],
  ['the end of the symbols', run({ hasRunOut: true }), usual, { withoutOutput: 'charged' }],
  ['a failure', run({ sent, failure: { error: new LlmError('timeout') } }), usual, { delivered: nothing }],
  ['an ended key', run({ sent, failure: endedKey }), usual, { delivered: sent }],
  [
    'an ended key, whole',
    run({ sent, failure: endedKey }),
    { ...usual, isWhole: true },
    { delivered: nothing, withoutOutput: 'stop' },
  ],
  [
    'leaving a stream',
    run({ sent, hiddenThought: 4 }),
    { ...usual, hasLeft: true },
    { delivered: { output: 3, thought: 6 } },
  ],
  [
    'leaving a whole answer',
    run({ sent }),
    { ...usual, hasLeft: true, isWhole: true },
    { delivered: nothing, withoutOutput: 'stop' },
  ],
  ['leaving before the request', run({ isInFlight: false }), { ...usual, hasLeft: true }, { withoutOutput: 'free' }],
  [
    'leaving a failure',
    run({ failure: { error: new LlmError('down') } }),
    { ...usual, hasLeft: true },
    { delivered: nothing },
  ],
])('%s is charged by its rule (S10.1010, S10.1013)', (_, ended, circumstances, expected) => {
  expect(chargeOf(ended, circumstances)).toMatchObject(expected)
})

test('leaving during a thought without a rate is an early stop', () => {
  const thought = run({ sent: { output: 0, thought: 5 } })
  expect(chargeOf(thought, { ...usual, hasLeft: true })).toMatchObject({ withoutOutput: 'charged' })
  expect(chargeOf(thought, { ...usual, hasLeft: true, thoughtRate: 0 })).toMatchObject({ withoutOutput: 'stop' })
  expect(chargeOf(thought, { ...usual, thoughtRate: 0 })).toMatchObject({ withoutOutput: 'charged' })
})

test('a filter ends only an answer that had begun (S10.1011)', () => {
  const failure = { error: new LlmError('filter') }
  expect(endedByFilter(run({ failure, sent }))).toMatchObject({ reason: 'content_filter', failure: null })
  expect(endedByFilter(run({ failure }))).toMatchObject({ failure })
  expect(endedByFilter(run({ failure: { error: new LlmError('down') }, sent })).failure).not.toBeNull()
})
