import { expect, onTestFinished, test, vi } from 'vitest'
import { isFollowed, noteEnd, putRun, removeRun } from './runs.ts'

test('an answer is followed from its start, and known after its end', () => {
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

test('a balance is trusted unless another answer ended at about the same time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.advanceTimersByTime(10_000)
  expect(noteEnd('first')).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(noteEnd('second')).toBe(false)
  vi.advanceTimersByTime(4000)
  expect(noteEnd('third')).toBe(true)
})
