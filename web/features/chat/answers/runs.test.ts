import { expect, onTestFinished, test, vi } from 'vitest'
import { hasEnd, hasNewestBalance, noteEnd } from './runs.ts'

test('the balance of an answer is the newest unless another one ended at about the same time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  noteEnd('first')
  expect([hasEnd('first'), hasNewestBalance('first')]).toEqual([true, true])
  expect([hasEnd('elsewhere'), hasNewestBalance('elsewhere')]).toEqual([false, false])
  vi.advanceTimersByTime(1000)
  noteEnd('second')
  expect([hasNewestBalance('first'), hasNewestBalance('second')]).toEqual([false, false])
  vi.advanceTimersByTime(4000)
  noteEnd('third')
  expect(hasNewestBalance('third')).toBe(true)
})
