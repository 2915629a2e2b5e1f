import { describe, expect, test, vi } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { ApiError } from '#contract/errors.ts'
import { aMessage } from '../testing/a-message.ts'
import { type AnswerRequest, followAnswer } from './answer-stream.ts'

const user = aMessage('q1')
const assistant = aMessage('a1', { parentId: 'q1', role: 'assistant', status: 'streaming', content: '' })
const start: AnswerEvent = { type: 'start', user, assistant }
const done = { type: 'done', message: { ...assistant, status: 'complete' }, charged: 1 } as AnswerEvent
const delta = (offset: number, text: string): AnswerEvent => ({ type: 'delta', offset, text })
const thought = (offset: number, text: string): AnswerEvent => ({ type: 'thought', offset, text })
const broken = new TypeError('network error')

const send: AnswerRequest = { kind: 'send', body: { id: 'q1', content: 'Привет' } }
const attach = (offset: number, thoughtOffset = 0): AnswerRequest => ({
  kind: 'attach',
  messageId: 'a1',
  offset,
  thoughtOffset,
})

/** Each connection yields its script; an error in it breaks the connection. */
async function follow(request: AnswerRequest, ...connections: (AnswerEvent | Error)[][]) {
  const requests: AnswerRequest[] = []
  const received: AnswerEvent[] = []
  const onDisconnect = vi.fn()
  const onBusy = vi.fn()
  let time = 0
  const abort = new AbortController()
  async function* connect(next: AnswerRequest) {
    requests.push(next)
    for (const step of connections.shift() ?? [new ApiError({ status: 418, code: 'end', message: 'end of script' })]) {
      if (step instanceof Error) throw step
      yield step
    }
  }
  const pause = vi.fn(async (ms: number) => {
    time += ms
  })
  const receive = (event: AnswerEvent) => received.push(event)
  const end = followAnswer({
    connect,
    request,
    receive,
    onDisconnect,
    onBusy,
    signal: abort.signal,
    pause,
    now: () => time,
  })
  const error = await end.then(
    () => null,
    (e: unknown) => e,
  )
  return { requests, received, onDisconnect, onBusy, error, pauses: pause.mock.calls.map(([ms]) => ms), time }
}

test('an answer is received from its start to its end', async () => {
  const { received, requests, onDisconnect, error } = await follow(send, [
    start,
    delta(3, 'При'),
    delta(6, 'вет'),
    done,
  ])
  expect(received).toEqual([start, delta(3, 'При'), delta(6, 'вет'), done])
  expect(requests).toEqual([send])
  expect(onDisconnect).not.toHaveBeenCalled()
  expect(error).toBeNull()
})

test('a lost connection is attached again at the last offset', async () => {
  const { requests, onDisconnect } = await follow(send, [start, delta(3, 'При'), broken], [delta(6, 'вет'), done])
  expect(requests).toEqual([send, attach(3)])
  expect(onDisconnect).toHaveBeenCalledOnce()
})

test('a connection that ends early is attached again too', async () => {
  const { requests, error } = await follow(send, [start, delta(3, 'При')], [delta(6, 'вет'), done])
  expect(requests).toEqual([send, attach(3)])
  expect(error).toBeNull()
})

test('text that was received before is dropped', async () => {
  const { received } = await follow(send, [start, delta(3, 'При'), broken], [delta(6, 'Привет'), done])
  expect(received).toEqual([start, delta(3, 'При'), delta(6, 'вет'), done])
})

test('lost text is requested again', async () => {
  const { requests, received } = await follow(
    send,
    [start, delta(3, 'При'), delta(10, 'мир')],
    [delta(10, 'вет мир'), done],
  )
  expect(requests).toEqual([send, attach(3)])
  expect(received.at(-2)).toEqual(delta(10, 'вет мир'))
})

test('an answer cut in thought reattaches at both of its lengths (S10.371)', async () => {
  const { requests, received } = await follow(
    send,
    [start, thought(3, 'Хм,'), broken],
    [thought(8, ' ясно'), delta(3, 'При'), broken],
    [delta(6, 'вет'), done],
  )
  expect(requests).toEqual([send, attach(0, 3), attach(3, 8)])
  expect(received).toEqual([start, thought(3, 'Хм,'), thought(8, ' ясно'), delta(3, 'При'), delta(6, 'вет'), done])
})

test('received thoughts are dropped, and lost thoughts are requested again (S10.371)', async () => {
  const { requests, received } = await follow(
    send,
    [start, thought(3, 'Хм,'), broken],
    [thought(8, 'Хм, ясно'), thought(20, 'далеко')],
    [thought(20, ', ясно и так'), done],
  )
  expect(requests).toEqual([send, attach(0, 3), attach(0, 8)])
  expect(received).toEqual([start, thought(3, 'Хм,'), thought(8, ' ясно'), thought(20, ', ясно и так'), done])
})

test('a stored thought of a started answer is not requested again (S10.371)', async () => {
  const thinking = { ...assistant, content: 'При', thought: { text: 'Хм, ясно', symbols: 0, ms: null } }
  const again: AnswerRequest = { kind: 'continue', messageId: 'a1' }
  const { requests } = await follow(again, [{ ...start, assistant: thinking }, broken], [done])
  expect(requests).toEqual([again, attach(3, 8)])
})

test('a message that missed the server keeps its id when sent again', async () => {
  const { requests, error } = await follow(send, [broken], [broken], [start, done])
  expect(requests).toEqual([send, send, send])
  expect(error).toBeNull()
})

test('a message is sent again on 408, 425, 502, 503 and 504 (S10.700)', async () => {
  const errors = [408, 425, 502, 503, 504].map((status) => [new ApiError({ status, code: 'unknown', message: '?' })])
  const { requests, error } = await follow(send, ...errors, [start, done])
  expect(error).toBeNull()
  expect(requests).toEqual(Array.from({ length: 6 }, () => send))
})

test('a failing server does not count as a lost network (S8.2, S10.700)', async () => {
  const proxy = new ApiError({ status: 502, code: 'unknown', message: 'Unknown error' })
  const { requests, onDisconnect } = await follow(send, [proxy], [], [broken], [start, broken], [done])
  expect(requests).toEqual([send, send, send, send, attach(0)])
  expect(onDisconnect.mock.calls).toEqual([['502: Unknown error'], ['Unknown stream error'], [null], [null]])
})

describe.each<AnswerRequest>([
  { kind: 'regenerate', messageId: 'a0' },
  { kind: 'continue', messageId: 'a0' },
])('$kind, which has no id of its own', (again) => {
  test.each([408, 425, 500, 502, 503, 504])('is sent once, also on %s (S10.1402)', async (status) => {
    const refusal = new ApiError({ status, code: 'unknown', message: 'Unknown error', retryAfter: 1 })
    const { requests, error } = await follow(again, [refusal], [start, done])
    expect(requests).toEqual([again])
    expect(error).toBe(refusal)
  })

  test('is sent once over a lost network (S10.1402)', async () => {
    const { requests, error } = await follow(again, [broken], [start, done])
    expect(requests).toEqual([again])
    expect(error).toMatchObject({ status: 0 })
  })

  test('blames no network for an answer without events (S8.2, S10.1401)', async () => {
    const { requests, error } = await follow(again, [], [start, done])
    expect(requests).toEqual([again])
    expect(error).toMatchObject({ status: 200, message: 'Unknown stream error' })
  })
})

test('a started regenerate or continue is attached again like any other answer', async () => {
  const again: AnswerRequest = { kind: 'continue', messageId: 'a1' }
  const { requests } = await follow(again, [start, broken], [done])
  expect(requests).toEqual([again, attach(0)])
})

test('a rejection is not retried', async () => {
  const rejection = new ApiError({ status: 402, code: 'out_of_symbols', message: 'Закончились символы в подписке' })
  const { requests, error } = await follow(send, [rejection], [start, done])
  expect(requests).toEqual([send])
  expect(error).toBe(rejection)
})

test('the page waits for a restarting server', async () => {
  const away = new ApiError({ status: 503, code: 'unavailable', message: 'Сервер перезапускается' })
  const { requests } = await follow(send, [start, broken], [away], [away], [done])
  expect(requests).toEqual([send, attach(0), attach(0), attach(0)])
})

const busy = (retryAfter: number) =>
  new ApiError({ status: 503, code: 'unavailable', message: 'Сервер перезапускается. Повторите.', retryAfter })

test('a busy server is asked again after its Retry-After', async () => {
  const { requests, pauses, onBusy, onDisconnect, error } = await follow(send, [busy(1)], [busy(4)], [start, done])
  expect(error).toBeNull()
  expect(requests).toEqual([send, send, send])
  expect(pauses[0]).toBeGreaterThanOrEqual(1000)
  expect(pauses[0]).toBeLessThanOrEqual(1500)
  expect(pauses[1]).toBeGreaterThanOrEqual(4000)
  expect(onBusy).toHaveBeenCalledTimes(2)
  expect(onDisconnect).not.toHaveBeenCalled()
})

test('a question is rejected after two minutes of a busy server', async () => {
  const rejection = busy(10)
  const { requests, error, time } = await follow(send, ...Array.from({ length: 30 }, () => [rejection]))
  expect(error).toBe(rejection)
  expect(time).toBeGreaterThan(100_000)
  expect(time).toBeLessThanOrEqual(120_000)
  expect(requests.length).toBeGreaterThan(7)
})

test('a rate limit does not stop reading, but stops sending', async () => {
  const crowd = new ApiError({ status: 429, code: 'too_many_requests', message: 'Слишком часто', retryAfter: 5 })
  expect((await follow(send, [start, broken], [crowd], [done])).error).toBeNull()
  expect((await follow(send, [crowd], [start, done])).error).toBe(crowd)
})
