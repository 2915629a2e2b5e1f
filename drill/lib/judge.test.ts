import { expect, test } from 'vitest'
import { price } from '#contract/billing.ts'
import type { Answer } from './answers.ts'
import { type Findings, isClean, judgeAnswers } from './judge.ts'
import type { FakeProvider, Run } from './model.ts'
import { models } from './people.ts'
import type { Reading } from './reading.ts'
import { chunksOf, writeSpec } from './text.ts'

const spec = { nonce: 'ab12', words: 20, gapMs: 10, mode: 'speak' }
const spoken = chunksOf(spec, 1).join('')
const question = writeSpec(spec).length
const cheap = models.cheap ?? { inputRate: 0, outputRate: 0 }
const words = models.words ?? cheap

const whole: Run = { model: 'words', begun: '', spoken, isWhole: true }

interface Case {
  content: string
  status?: Answer['allowed'][number]
  charged?: number
  posted?: number
  runs?: Run[]
  reading?: Partial<Reading>
  answer?: Partial<Answer>
}

async function judge({ content, status = 'complete', runs = [whole], ...rest }: Case): Promise<Findings> {
  const charged = rest.charged ?? price(question, content.length, words)
  const posted = rest.posted ?? charged
  const reading = {
    shown: content,
    grown: content,
    done: null,
    failed: null,
    refused: null,
    errors: [],
    instance: 'a',
    messageId: 'answer',
    growth: [],
    endedAt: 1,
    ended: Promise.resolve(),
    leave: () => undefined,
    ...rest.reading,
  } satisfies Reading
  const answer = {
    person: { email: '', headers: {} },
    spec,
    modelId: 'words',
    threadId: 'thread',
    questionId: 'question',
    readings: [reading],
    allowed: ['complete'],
    mayTakeBack: false,
    errors: [],
    ended: () => Promise.resolve(),
    ...rest.answer,
  } satisfies Answer
  const row = { id: 'answer', parent_id: 'question', status, content, charged }
  const query = async (statement: string) => ({
    rows: statement.includes('from ledger') ? [{ message_id: 'answer', symbols: posted }] : [row],
  })
  const provider = { baseUrl: '', runsOf: () => runs, attemptsOf: () => [] } satisfies FakeProvider
  return judgeAnswers({ query: query as never }, provider, [answer])
}

test('a whole, shown and rightly charged answer is clean', async () => {
  expect(isClean(await judge({ content: spoken }))).toBe(true)
})

test('a whole answer without its end has lost text', async () => {
  const content = spoken.slice(0, -20)
  expect(await judge({ content, charged: price(question, content.length, words) })).toMatchObject({ lost: 20 })
})

test('an answer may keep only its beginning when it was interrupted', async () => {
  const content = spoken.slice(0, 50)
  const answer: Partial<Answer> = { allowed: ['interrupted'] }
  expect(isClean(await judge({ content, status: 'interrupted', answer }))).toBe(true)
  expect(await judge({ content, status: 'interrupted' })).toMatchObject({ failed: 1, lost: spoken.length - 50 })
})

test('a failed answer must be free', async () => {
  const answer: Partial<Answer> = { allowed: ['failed'] }
  const failed = { content: spoken.slice(0, 50), status: 'failed', answer } as const
  expect(isClean(await judge({ ...failed, charged: 0 }))).toBe(true)
  expect(await judge({ ...failed, charged: 10 })).toMatchObject({ charges: 1 })
})

test('an answer of the replacement model is charged at the lower rates', async () => {
  const runs = [{ ...whole, model: 'cheap' }]
  expect(await judge({ content: spoken, runs })).toMatchObject({ charges: 1 })
  expect(isClean(await judge({ content: spoken, runs, charged: price(question, spoken.length, cheap) }))).toBe(true)
})

test('the ledger and the message must agree', async () => {
  expect(await judge({ content: spoken, posted: 1 })).toMatchObject({ charges: 1 })
})

test('a continued answer is charged for both parts and repeats no text', async () => {
  const begun = spoken.slice(0, 50)
  const more = chunksOf(spec, 2).join('')
  const runs = [whole, { model: 'words', begun, spoken: more, isWhole: true }]
  const charged = price(question, 50, words) + price(question + 50, more.length, words)
  expect(isClean(await judge({ content: begun + more, runs, charged }))).toBe(true)
  const foreign = begun + spoken.slice(50, 80) + more.slice(30)
  const findings = await judge({ content: foreign, runs, charged })
  expect(findings.lost).toBeGreaterThan(0)
  expect(findings.duplicated).toBeGreaterThan(0)
})

test('shown words may disappear only when the writer was killed', async () => {
  const content = spoken.slice(0, 50)
  const shown = { content, status: 'stopped', reading: { grown: spoken.slice(0, 70) } } as const
  const allowed: Answer['allowed'] = ['stopped']
  expect(await judge({ ...shown, answer: { allowed } })).toMatchObject({ duplicated: 20 })
  expect(isClean(await judge({ ...shown, answer: { allowed, mayTakeBack: true } }))).toBe(true)
})

test('an unfinished reading, a refusal and a 500 count as errors', async () => {
  expect(await judge({ content: spoken, reading: { endedAt: null } })).toMatchObject({ errors: 1 })
  expect(await judge({ content: spoken, reading: { refused: '500' } })).toMatchObject({ errors: 1 })
  expect(await judge({ content: spoken, reading: { errors: ['attach: 500'] } })).toMatchObject({ errors: 1 })
})
