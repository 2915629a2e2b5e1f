import { expect, test } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { aBranch, aMessage } from '../testing/a-message.ts'
import { applyAnswer, requestTime } from './answer-run.ts'

const before = aBranch('q1', 'a1')
const user = aMessage('q2', { parentId: 'a1' })
const assistant = aMessage('a2', { parentId: 'q2', role: 'assistant', status: 'streaming', content: '' })
const start: AnswerEvent = { type: 'start', user, assistant }
const delta = (offset: number, text: string): AnswerEvent => ({ type: 'delta', offset, text })
const textOf = (events: AnswerEvent[]) => events.reduce(applyAnswer, before).at(-1)?.content
const ids = (events: AnswerEvent[], messages = before) => events.reduce(applyAnswer, messages).map(({ id }) => id)

test('a question and its growing answer are added at the end', () => {
  expect(ids([start])).toEqual(['q1', 'a1', 'q2', 'a2'])
  expect(textOf([start, delta(3, 'При'), delta(6, 'вет')])).toBe('Привет')
})

test('only the growing message is a new object', () => {
  const started = applyAnswer(before, start)
  const grown = applyAnswer(started, delta(3, 'При'))
  expect(grown.map((message, i) => message === started[i])).toEqual([true, true, true, false])
})

test('a repeated delta is applied once', () => {
  expect(textOf([start, delta(3, 'При'), delta(3, 'При'), delta(6, 'вет')])).toBe('Привет')
  expect(textOf([start, delta(3, 'При'), delta(6, 'ривет')])).toBe('Привет')
})

test('a delta after a gap is ignored', () => {
  expect(textOf([start, delta(3, 'При'), delta(9, 'мир')])).toBe('При')
})

test('the stored text replaces longer text', () => {
  expect(textOf([start, delta(6, 'Привет'), { ...start, assistant: { ...assistant, content: 'При' } }])).toBe('При')
})

test('an edited question replaces the old question and its messages', () => {
  const edited = aMessage('q1b', { siblings: ['q1', 'q1b'] })
  const answer = { ...assistant, parentId: 'q1b' }
  expect(ids([{ type: 'start', user: edited, assistant: answer }])).toEqual(['q1b', 'a2'])
})

test('another answer to the same question replaces the old answer', () => {
  const question = aMessage('q1')
  const again = aMessage('a1b', { parentId: 'q1', role: 'assistant', siblings: ['a1', 'a1b'] })
  expect(ids([{ type: 'start', user: question, assistant: again }], [...before, user])).toEqual(['q1', 'a1b'])
})

test('a question whose parent is not loaded goes to the end', () => {
  const far = aMessage('q9', { parentId: 'a8' })
  expect(ids([{ type: 'start', user: far, assistant }])).toEqual(['q1', 'a1', 'q9', 'a2'])
})

test('the final message is the stored message', () => {
  const message = { ...assistant, content: 'Привет!', status: 'complete' as const, charged: 12 }
  const SingleSubscription = {} as Extract<AnswerEvent, { type: 'done' }>['SingleSubscription']
  const events: AnswerEvent[] = [start, delta(3, 'При'), { type: 'done', message, charged: 12, SingleSubscription }]
  expect(events.reduce(applyAnswer, before).at(-1)).toEqual(message)
})

test('a thought grows apart from the text and stays (S10.371)', () => {
  const thought = (offset: number, text: string): AnswerEvent => ({ type: 'thought', offset, text })
  const events = [start, thought(3, 'Хм,'), thought(3, 'Хм,'), thought(8, ' ясно'), thought(99, 'мимо'), delta(2, 'Да')]
  expect(events.reduce(applyAnswer, before).at(-1)).toMatchObject({
    content: 'Да',
    thought: { text: 'Хм, ясно', symbols: 0, ms: null },
  })
})

test('a running answer starts at its creation, unless the clocks differ', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  expect(requestTime('2026-01-01T11:59:26Z', now)).toBe(now - 34_000)
  expect(requestTime('2026-01-01T12:00:05Z', now)).toBe(now)
  expect(requestTime('2025-12-31T12:00:00Z', now)).toBe(now)
})

test('an error keeps the text received so far and has its message', () => {
  const error: AnswerEvent = { type: 'error', status: 502, code: 'model_failed', message: 'Модель не ответила' }
  const failed = [start, delta(3, 'При'), error].reduce(applyAnswer, before).at(-1)
  expect(failed).toMatchObject({ content: 'При', status: 'failed', error: { message: 'Модель не ответила' } })
})

test('nothing changes without a running answer', () => {
  expect(applyAnswer(before, delta(3, 'При'))).toBe(before)
})
