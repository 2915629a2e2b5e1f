import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { withRetry } from './send-in-chunks.ts'

const broken = (status: number, code = 'unknown') => new ApiError({ status, code, message: '' })

test('a lost network or restarting server makes longer and longer pauses', async () => {
  const failures = [broken(0), broken(502), broken(504)]
  const pauses: number[] = []
  const waits: boolean[] = []
  const answer = await withRetry(
    async () => {
      const failed = failures.shift()
      if (failed) throw failed
      return 'da'
    },
    new AbortController().signal,
    (isWaiting) => waits.push(isWaiting),
    async (ms) => void pauses.push(ms),
  )
  expect(answer).toBe('da')
  expect(pauses).toEqual([1000, 2000, 4000])
  expect(waits).toEqual([true, true, true, false])
})

test.each([
  [broken(415)],
  [broken(402, 'out_of_symbols')],
  [broken(429, 'too_many_requests')],
  [broken(503, 'unavailable')],
  [new Error('a mistake of ours')],
])('a permanent error is reported at once: %s', async (error) => {
  const fails = () => Promise.reject(error)
  const wait = () => Promise.reject(new Error('it waited'))
  await expect(withRetry(fails, new AbortController().signal, () => {}, wait)).rejects.toBe(error)
})

test('an abort ends the waiting', async () => {
  const stop = new AbortController()
  const wait = async () => stop.abort(new Error('enough'))
  await expect(
    withRetry(
      () => Promise.reject(broken(0)),
      stop.signal,
      () => {},
      wait,
    ),
  ).rejects.toThrow('enough')
})
