import { expect, test, vi } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { ApiError } from '#contract/errors.ts'
import { aMessage } from '../testing/a-message.ts'
import { type AnswerRequest, followAnswer } from './answer-stream.ts'

const user = aMessage('q1')
const assistant = aMessage('a1', { parentId: 'q1', role: 'assistant', status: 'streaming', content: '' })
const start: AnswerEvent = { type: 'start', user, assistant }
const done = { type: 'done', message: { ...assistant, status: 'complete' }, charged: 1 } as AnswerEvent
const delta = (offset: number, text: string): AnswerEvent => ({ type: 'delta', offset, text })
const broken = new TypeError('network error')

const send: AnswerRequest = { kind: 'send', body: { id: 'q1', content: 'Привет' } }
const attach = (offset: number): AnswerRequest => ({ kind: 'attach', messageId: 'a1', offset })

/** Each connection says its lines; an error among them breaks it. */
async function follow(request: AnswerRequest, ...connections: (AnswerEvent | Error)[][]) {
  const asked: AnswerRequest[] = []
  const heard: AnswerEvent[] = []
  const onCut = vi.fn()
  const onBusy = vi.fn()
  let time = 0
  const abort = new AbortController()
  async function* connect(next: AnswerRequest) {
    asked.push(next)
    for (const line of connections.shift() ?? [new ApiError({ status: 418, code: 'end', message: 'end of script' })]) {
      if (line instanceof Error) throw line
      yield line
    }
  }
  const pause = vi.fn(async (ms: number) => {
    time += ms
  })
  const receive = (event: AnswerEvent) => heard.push(event)
  const end = followAnswer({ connect, request, receive, onCut, onBusy, signal: abort.signal, pause, now: () => time })
  const error = await end.then(
    () => null,
    (e: unknown) => e,
  )
  return { asked, heard, onCut, onBusy, error, pauses: pause.mock.calls.map(([ms]) => ms), time }
}

test('an answer is heard from its start to its end', async () => {
  const { heard, asked, onCut, error } = await follow(send, [start, delta(3, 'При'), delta(6, 'вет'), done])
  expect(heard).toEqual([start, delta(3, 'При'), delta(6, 'вет'), done])
  expect(asked).toEqual([send])
  expect(onCut).not.toHaveBeenCalled()
  expect(error).toBeNull()
})

test('a line that breaks is attached again where it broke', async () => {
  const { asked, onCut } = await follow(send, [start, delta(3, 'При'), broken], [delta(6, 'вет'), done])
  expect(asked).toEqual([send, attach(3)])
  expect(onCut).toHaveBeenCalledOnce()
})

test('a line that just ends is attached again too', async () => {
  const { asked, error } = await follow(send, [start, delta(3, 'При')], [delta(6, 'вет'), done])
  expect(asked).toEqual([send, attach(3)])
  expect(error).toBeNull()
})

test('the server says more than was asked for, and nothing is heard twice', async () => {
  const { heard } = await follow(send, [start, delta(3, 'При'), broken], [delta(6, 'Привет'), done])
  expect(heard).toEqual([start, delta(3, 'При'), delta(6, 'вет'), done])
})

test('a piece that is missing is asked for again', async () => {
  const { asked, heard } = await follow(send, [start, delta(3, 'При'), delta(10, 'мир')], [delta(10, 'вет мир'), done])
  expect(asked).toEqual([send, attach(3)])
  expect(heard.at(-2)).toEqual(delta(10, 'вет мир'))
})

test('a message that did not get through is sent again with the same id', async () => {
  const { asked, error } = await follow(send, [broken], [broken], [start, done])
  expect(asked).toEqual([send, send, send])
  expect(error).toBeNull()
})

test('a model is never asked for one more answer twice', async () => {
  const again: AnswerRequest = { kind: 'regenerate', messageId: 'a0' }
  const { asked, error } = await follow(again, [broken], [start, done])
  expect(asked).toEqual([again])
  expect(error).toBe(broken)
})

test('one more answer that has begun is attached again like any other', async () => {
  const again: AnswerRequest = { kind: 'continue', messageId: 'a1' }
  const { asked } = await follow(again, [start, broken], [done])
  expect(asked).toEqual([again, attach(0)])
})

test('a refusal is not tried again', async () => {
  const rejection = new ApiError({ status: 402, code: 'out_of_symbols', message: 'Закончились символы в подписке' })
  const { asked, error } = await follow(send, [rejection], [start, done])
  expect(asked).toEqual([send])
  expect(error).toBe(rejection)
})

test('a server that restarts is waited for', async () => {
  const away = new ApiError({ status: 503, code: 'unavailable', message: 'Сервер перезапускается' })
  const { asked } = await follow(send, [start, broken], [away], [away], [done])
  expect(asked).toEqual([send, attach(0), attach(0), attach(0)])
})

const busy = (retryAfter: number) =>
  new ApiError({ status: 503, code: 'unavailable', message: 'Сервер перезапускается. Повторите.', retryAfter })

test('a server that asks to come later is asked again after that time with the same id, and it is no broken line', async () => {
  const { asked, pauses, onBusy, onCut, error } = await follow(send, [busy(1)], [busy(4)], [start, done])
  expect(error).toBeNull()
  expect(asked).toEqual([send, send, send])
  expect(pauses[0]).toBeGreaterThanOrEqual(1000)
  expect(pauses[0]).toBeLessThanOrEqual(1500)
  expect(pauses[1]).toBeGreaterThanOrEqual(4000)
  expect(onBusy).toHaveBeenCalledTimes(2)
  expect(onCut).not.toHaveBeenCalled()
})

test('after two minutes of that the question goes back to its author with the sentence', async () => {
  const rejection = busy(10)
  const { asked, error, time } = await follow(send, ...Array.from({ length: 30 }, () => [rejection]))
  expect(error).toBe(rejection)
  expect(time).toBeGreaterThan(100_000)
  expect(time).toBeLessThanOrEqual(120_000)
  expect(asked.length).toBeGreaterThan(7)
})

test('what the server has not begun may be asked again, one more answer too', async () => {
  const again: AnswerRequest = { kind: 'regenerate', messageId: 'a0' }
  const { asked, error } = await follow(again, [busy(1)], [start, done])
  expect(asked).toEqual([again, again])
  expect(error).toBeNull()
})

test('when it is not known whether one more answer was begun, it is not asked for again', async () => {
  const away = { status: 503, code: 'unavailable', message: 'База не отвечает.', reason: 'database', retryAfter: 1 }
  const again: AnswerRequest = { kind: 'regenerate', messageId: 'a0' }
  const { asked, error } = await follow(again, [new ApiError(away)], [start, done])
  expect(asked).toEqual([again])
  expect(error).toMatchObject({ reason: 'database' })
  expect((await follow(send, [new ApiError(away)], [start, done])).error).toBeNull()
})

test('a crowd is no reason to stop reading, but a reason not to send again', async () => {
  const crowd = new ApiError({ status: 429, code: 'too_many_requests', message: 'Слишком часто', retryAfter: 5 })
  expect((await follow(send, [start, broken], [crowd], [done])).error).toBeNull()
  expect((await follow(send, [crowd], [start, done])).error).toBe(crowd)
})
