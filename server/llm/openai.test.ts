import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'
import { LlmError } from './errors.ts'
import type { Llm, LlmEnd } from './llm.ts'
import { openAiLlm } from './openai.ts'
import { patient } from './providers.ts'
import {
  breaksOff,
  chunk,
  DONE,
  type FakeOpenAi,
  hangs,
  refuses,
  says,
  startFakeOpenAi,
  streams,
  usageChunk,
} from './testing/fake-openai.ts'

let provider: FakeOpenAi
let llm: Llm
beforeAll(async () => {
  provider = await startFakeOpenAi()
  llm = openAiLlm({ baseUrl: `${provider.baseUrl}/`, apiKey: 'the-key' }, { firstMs: 300, idleMs: 300 })
})
afterAll(() => provider.close())

const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Как дела?' }] }

async function hear(from: Llm = llm, signal = new AbortController().signal) {
  let text = ''
  let end: LlmEnd | null = null
  let fault: unknown = null
  try {
    end = await from(request, signal, (piece) => {
      text += piece
    })
  } catch (error) {
    fault = error instanceof LlmError ? error.fault : error
  }
  return { text, end, fault }
}

test('plain: the pieces, the reason of the end and the usage', async () => {
  provider.play(says('При', 'вет'))
  expect(await hear()).toEqual({
    text: 'Привет',
    end: { reason: 'stop', usage: { inputTokens: 7, outputTokens: 2 } },
    fault: null,
  })
  expect(provider.asked.at(-1)).toMatchObject({
    model: 'm',
    authorization: 'Bearer the-key',
    messages: request.messages,
  })
})

test('comments, odd line ends, unknown fields, null content and usage without choices are all fine', async () => {
  provider.play(
    streams(
      ': OPENROUTER PROCESSING\n\n',
      'event: message\r\ndata: {"choices":[{"delta":{"content":"А","role":"assistant"},"finish_reason":null}],"obfuscation":"x"}\r\n\r\n',
      'data:{"choices":[{"delta":{"content":null}}]}\n\n',
      chunk('Б', 'length'),
      'data: {"choices":null,"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n',
      DONE,
    ),
  )
  expect(await hear()).toMatchObject({ text: 'АБ', end: { reason: 'length', usage: { outputTokens: 2 } }, fault: null })
})

test('letters split between pieces come whole', async () => {
  const bytes = Buffer.from(chunk('Ёж 🦔 спит') + chunk(null, 'stop') + DONE)
  provider.play(streams(...Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))))
  expect(await hear()).toMatchObject({ text: 'Ёж 🦔 спит', fault: null })
})

test('a missing [DONE] and a usage that never comes are fine when the model said it had finished', async () => {
  provider.play(streams(chunk('Да', 'stop')))
  expect(await hear()).toEqual({ text: 'Да', end: { reason: 'stop', usage: null }, fault: null })
})

test('a content filter is an end with its reason', async () => {
  provider.play(streams(chunk('Н'), chunk(null, 'content_filter'), usageChunk(1, 1), DONE))
  expect(await hear()).toMatchObject({ text: 'Н', end: { reason: 'content_filter' } })
})

test.each([
  [401, {}, 'key'],
  [402, {}, 'credit'],
  [429, {}, 'busy'],
  [429, { error: { code: 'insufficient_quota' } }, 'credit'],
  [400, { error: { code: 'context_length_exceeded' } }, 'too_long'],
  [400, { error: { code: 'content_policy_violation' } }, 'filter'],
  [404, {}, 'refused'],
  [500, {}, 'down'],
  [504, {}, 'timeout'],
])('an answer of %i %j is the fault «%s»', async (status, body, fault) => {
  provider.play(refuses(status, body))
  expect(await hear()).toMatchObject({ text: '', fault })
})

test('an error inside the stream is a fault, with what was said before it', async () => {
  provider.play(streams(chunk('Нача'), 'data: {"error":{"code":429,"message":"slow down"}}\n\n'))
  expect(await hear()).toMatchObject({ text: 'Нача', fault: 'busy' })
})

test('a cut socket, an empty stream and nonsense are faults', async () => {
  provider.play(breaksOff(chunk('Полсло')))
  expect(await hear()).toMatchObject({ text: 'Полсло', fault: 'down' })
  provider.play(streams(DONE))
  expect(await hear()).toMatchObject({ text: '', fault: 'down' })
  provider.play(streams('data: <html>\n\n'))
  expect(await hear()).toMatchObject({ fault: 'down' })
})

test('silence before the first word and in the middle is a timeout', async () => {
  provider.play(hangs())
  expect(await hear()).toMatchObject({ text: '', fault: 'timeout' })
  provider.play(hangs(chunk('Сейчас')))
  expect(await hear()).toMatchObject({ text: 'Сейчас', fault: 'timeout' })
})

test('told to stop, it stops, and that is no fault of the model', async () => {
  provider.play(hangs(chunk('Я ещё')))
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  const { text, fault } = await hear(llm, controller.signal)
  expect(text).toBe('Я ещё')
  expect(fault).toMatchObject({ name: 'AbortError' })
})

test('out of the time its caller gave it, it is a timeout', async () => {
  provider.play(hangs(chunk('Я ещё')))
  expect(await hear(llm, AbortSignal.timeout(50))).toMatchObject({ text: 'Я ещё', fault: 'timeout' })
})

test('429 then good: tried once more before the first word, never after it', async () => {
  provider.play(refuses(429), says('Со второго раза'))
  expect(await hear(patient(llm, 1))).toMatchObject({ text: 'Со второго раза', fault: null })
  provider.play(breaksOff(chunk('Раз')), says('Два'))
  expect(await hear(patient(llm, 1))).toMatchObject({ text: 'Раз', fault: 'down' })
})

test('after five failures in a row a provider rests, and then is tried again', async () => {
  let now = 0
  const guarded = createBreaker(llm, () => now)
  provider.play(refuses(500))
  for (let i = 0; i < 5; i++) await hear(guarded)
  const before = provider.asked.length
  expect(await hear(guarded)).toMatchObject({ fault: 'down' })
  expect(provider.asked.length).toBe(before)
  now = 31_000
  provider.play(says('Снова тут'))
  expect(await hear(guarded)).toMatchObject({ text: 'Снова тут' })
})
