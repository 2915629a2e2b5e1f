import { expect, test } from 'vitest'
import { isTransient } from '#server/lib/errors.ts'
import { retryWhileUnavailable } from './retry.ts'

const withCode = (code: string) => Object.assign(new Error('from the driver'), { code })
const wrapped = (cause: Error) => new Error('Failed query', { cause })

test('an unavailable database is distinguished from a wrong statement', () => {
  for (const code of ['57P01', '57P03', '08006', 'ECONNREFUSED', 'ECONNRESET', '53300', '40P01', '40001', '55P03'])
    expect(isTransient(wrapped(withCode(code)))).toBe(true)
  expect(isTransient(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isTransient(new Error('timeout exceeded when trying to connect'))).toBe(true)
  for (const code of ['23505', '22P02', '42P01', 'P0001']) expect(isTransient(wrapped(withCode(code)))).toBe(false)
  expect(isTransient('no')).toBe(false)
})

test('an unavailable database is tried again until it succeeds', async () => {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries < 3) throw withCode('ECONNREFUSED')
    return 'done'
  }
  expect(await retryWhileUnavailable(work)).toBe('done')
  expect(tries).toBe(3)
})

test('wrong and aborted statements are not retried', async () => {
  let tries = 0
  const wrong = async () => {
    tries += 1
    throw withCode('23505')
  }
  await expect(retryWhileUnavailable(wrong)).rejects.toThrow()
  expect(tries).toBe(1)
  const away = async () => {
    tries += 1
    throw withCode('57P01')
  }
  await expect(retryWhileUnavailable(away, { signal: AbortSignal.abort() })).rejects.toThrow()
  await expect(retryWhileUnavailable(away, { forMs: 0 })).rejects.toThrow()
  expect(tries).toBe(3)
})
