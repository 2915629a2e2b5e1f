import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { api, apiPage, openStream } from './api.ts'
import { progress, showsProgress } from './progress.ts'
import { isRetryable } from './retry.ts'

const returns = z.object({ ok: z.boolean() })
const read = endpoint('GET', '/api/models', { who: 'user', summary: '', returns })
const write = endpoint('POST', '/api/threads', { who: 'user', summary: '', returns })
const signIn = endpoint('POST', '/api/auth/sign-out', { who: 'user', summary: '', returns })

const answers: Response[] = []
const fetched = vi.fn(() => Promise.resolve(answers.shift() ?? Response.json({ ok: true })))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetched)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  fetched.mockClear()
  answers.length = 0
})

test.each([408, 409, 425, 429, 500, 502, 503, 504])('a GET answered %d is retried (S8.60)', (status) => {
  expect(isRetryable('GET', status)).toBe(true)
  expect(isRetryable('HEAD', status)).toBe(true)
})

test.each([200, 400, 401, 402, 403, 404, 422, 501])('a GET answered %d is not retried (S8.60)', (status) => {
  expect(isRetryable('GET', status)).toBe(false)
})

test.each(['POST', 'PATCH', 'DELETE'])('a %s is never retried (S8.60)', (method) => {
  expect(isRetryable(method, 503)).toBe(false)
})

test('a reading call is retried once and then answers (S8.60)', async () => {
  answers.push(new Response(null, { status: 503 }))
  const answer = api(read, {})
  await vi.runAllTimersAsync()
  expect(await answer).toEqual({ ok: true })
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a second failure is reported (S8.60)', async () => {
  answers.push(new Response(null, { status: 503 }), Response.json({ message: 'Отдыхаем' }, { status: 503 }))
  const answer = expect(api(read, {})).rejects.toMatchObject({ status: 503, message: 'Отдыхаем' })
  await vi.runAllTimersAsync()
  await answer
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a reading call is repeated after the requested wait', async () => {
  answers.push(new Response(null, { status: 503, headers: { 'retry-after': '2' } }))
  const answer = api(read, {})
  await vi.advanceTimersByTimeAsync(1999)
  expect(fetched).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1001)
  expect(await answer).toEqual({ ok: true })
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a wait of minutes is an error (S10.1405)', async () => {
  answers.push(Response.json({ message: 'Позже' }, { status: 429, headers: { 'retry-after': '600' } }))
  await expect(api(read, {})).rejects.toMatchObject({ status: 429, message: 'Позже', retryAfter: 600 })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a changing call is made once (S8.2, S8.60)', async () => {
  answers.push(new Response(null, { status: 503 }))
  await expect(api(write, {})).rejects.toMatchObject({ status: 503, message: 'Unknown error' })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a page has the address of the next page', async () => {
  answers.push(Response.json({ ok: true }, { headers: { 'x-next-cursor': 'c2' } }))
  expect(await apiPage(read, {})).toEqual({ items: { ok: true }, nextCursor: 'c2' })
  expect(await apiPage(read, {})).toEqual({ items: { ok: true }, nextCursor: null })
})

test('only product calls show the loading bar (S7.126)', async () => {
  expect(['/api/models', '/api/auth/sign-out', '/builds/latest.json'].map(showsProgress)).toEqual([true, false, false])

  const product = api(read, {})
  expect(progress.isBusy()).toBe(true)
  await product
  expect(progress.isBusy()).toBe(false)

  const auth = api(signIn, {})
  expect(progress.isBusy()).toBe(false)
  await auth
})

test('the loading bar goes when a call fails', async () => {
  answers.push(new Response(null, { status: 404 }))
  await expect(api(read, {})).rejects.toThrow()
  expect(progress.isBusy()).toBe(false)
})

test('a stream of events shows the loading bar until it begins (S7.126)', async () => {
  answers.push(new Response('event: done\n\n'))
  const opened = openStream('/api/threads/1/message', { method: 'POST' })
  expect(progress.isBusy()).toBe(true)
  await opened
  expect(progress.isBusy()).toBe(false)
  answers.push(Response.json({ status: 402, code: 'no_symbols', message: 'Мало' }, { status: 402 }))
  await expect(openStream('/api/threads/1/message', {})).rejects.toMatchObject({ status: 402, code: 'no_symbols' })
})

test('a call that must outlive the page tells the browser so', async () => {
  await api(write, {}, { keepalive: true })
  expect(fetched).toHaveBeenCalledWith('/api/threads', expect.objectContaining({ keepalive: true }))
})
