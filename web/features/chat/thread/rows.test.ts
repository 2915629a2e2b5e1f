import { expect, test } from 'vitest'
import type { OutboxItem } from '../state/outbox.ts'
import type { Run } from '../state/runs.ts'
import { aBranch, aMessage } from '../testing/a-message.ts'
import { buildRows } from './rows.ts'

const messages = aBranch('q1', 'a1', 'q2', 'a2')
const item = (id: string, change: Partial<OutboxItem> = {}): OutboxItem => ({
  id,
  userId: 'anna',
  threadId: 't1',
  content: 'Вопрос',
  files: [],
  at: 1,
  ...change,
})
const run = (change: Partial<Run>): Run => ({
  kind: 'send',
  questionId: 'q3',
  messageId: null,
  isDisconnected: false,
  isBusy: false,
  isStopping: false,
  ...change,
})

function show(change: Partial<Parameters<typeof buildRows>[0]>) {
  const shown = buildRows({ messages, run: undefined, items: [], deletingId: null, ...change })
  return { ...shown, ids: shown.rows.map(({ message }) => message.id), queued: shown.queued.map(({ id }) => id) }
}

test('a sent message is shown at once and awaits its answer', () => {
  const shown = show({ items: [item('q3')], run: run({}) })
  expect(shown.ids).toEqual(['q1', 'a1', 'q2', 'a2', 'q3'])
  expect(shown.rows.at(-1)?.outgoing?.id).toBe('q3')
  expect(shown.isThinking).toBe(true)
})

test('an offline message is shown in place and awaits no answer', () => {
  const shown = show({ items: [item('q3')] })
  expect(shown.ids.at(-1)).toBe('q3')
  expect(shown.isThinking).toBe(false)
})

test('a message that was not sent awaits no answer (S10.165)', () => {
  expect(show({ items: [item('q3')], run: run({ isDisconnected: true }) }).isThinking).toBe(false)
  expect(show({ items: [item('q3')], run: run({ isBusy: true }) }).isThinking).toBe(false)
})

test('messages sent while an answer is running wait in the queue', () => {
  const writing = run({ questionId: 'q2', messageId: 'a2' })
  expect(show({ items: [item('q3'), item('q4')], run: writing })).toMatchObject({
    ids: ['q1', 'a1', 'q2', 'a2'],
    queued: ['q3', 'q4'],
    isThinking: false,
  })
})

test('an answer running in another window makes messages wait too', () => {
  const streaming = messages.with(3, aMessage('a2', { role: 'assistant', status: 'streaming' }))
  expect(show({ messages: streaming, items: [item('q3')] }).queued).toEqual(['q3'])
})

test('only the first of several waiting messages is shown in place', () => {
  expect(show({ items: [item('q3'), item('q4')] })).toMatchObject({ queued: ['q4'] })
})

test('a message that the server already has is not shown twice', () => {
  expect(show({ items: [item('q2')] }).ids).toEqual(['q1', 'a1', 'q2', 'a2'])
})

test('an edited question replaces the old question', () => {
  expect(show({ items: [item('q2b', { parentId: 'a1' })], run: run({}) }).ids).toEqual(['q1', 'a1', 'q2b'])
  expect(show({ items: [item('q1b', { parentId: null })], run: run({}) }).ids).toEqual(['q1b'])
})

test('the old answer is hidden while another is requested', () => {
  const shown = show({ run: run({ kind: 'regenerate', questionId: 'q1' }) })
  expect(shown).toMatchObject({ ids: ['q1'], isThinking: true })
})

test('messages that are being deleted are hidden', () => {
  expect(show({ deletingId: 'q2' }).ids).toEqual(['q1', 'a1'])
})
