import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { withRetry } from './send-in-chunks.ts'

const broken = (status: number, code = 'unknown') => new ApiError({ status, code, message: 'Unknown error' })

/** Runs work that fails so often first, and notes what was waited for. */
async function tried(...failures: Error[]) {
  const pauses: number[] = []
  const waits: (string | null | undefined)[] = []
  let sent = 0
  const work = async () => {
    sent += 1
    const failed = failures.shift()
    if (failed) throw failed
    return 'da'
  }
  const outcome = await withRetry(
    work,
    new AbortController().signal,
    (waiting) => waits.push(waiting?.problem),
    async (ms) => void pauses.push(ms),
  ).catch((error: unknown) => error)
  return { outcome, pauses, waits, sent }
}

test('a lost network makes longer and longer pauses (S10.1404)', async () => {
  const { outcome, pauses, waits } = await tried(broken(0), broken(0), broken(0))
  expect(outcome).toBe('da')
  expect(pauses).toEqual([1000, 2000, 4000])
  expect(waits).toEqual([null, null, null, undefined])
})

test.each([429, 502, 503, 504])('a call answered %s is repeated once (S10.1404)', async (status) => {
  const first = await tried(broken(status))
  expect(first).toMatchObject({ outcome: 'da', sent: 2, waits: [`${status}: Unknown error`, undefined] })
  expect(first.pauses[0]).toBeGreaterThanOrEqual(5000)
  const second = await tried(broken(status), broken(0), broken(status))
  expect(second.outcome).toMatchObject({ status })
  expect(second.sent).toBe(3)
})

test('an upload asked to wait longer than ten seconds ends (S10.1404, S10.1405)', async () => {
  const busy = new ApiError({ status: 503, code: 'unknown', message: 'Занято', retryAfter: 11 })
  expect(await tried(busy)).toMatchObject({ outcome: busy, sent: 1 })
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
