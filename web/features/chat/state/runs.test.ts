import { expect, test } from 'vitest'
import { createEnds, isFollowed, noteEnd, putRun, removeRun } from './runs.ts'

test('an answer is followed from its start, and known after its end (S10.490)', () => {
  const run = { kind: 'send', questionId: 'q', isDisconnected: false, isBusy: false, isStopping: false } as const
  putRun('chat', { ...run, messageId: null })
  expect(isFollowed('chat', 'a1')).toBe(false)
  putRun('chat', { ...run, messageId: 'a1' })
  expect([isFollowed('chat', 'a1'), isFollowed('chat', 'a2')]).toEqual([true, false])
  removeRun('chat')
  expect(isFollowed('chat', 'a1')).toBe(false)
  noteEnd('a1')
  expect(isFollowed('chat', 'a1')).toBe(true)
})

test('a balance is trusted unless another answer ended nearby (S10.490)', () => {
  const ends = createEnds()
  expect(ends.note('first', 1000)).toBe(true)
  expect(ends.note('second', 2000)).toBe(false)
  expect(ends.note('third', 6000)).toBe(true)
  expect([ends.has('second'), ends.has('fourth')]).toEqual([true, false])
})
