import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anthropicLlm } from './anthropic.ts'
import { connect } from './connection.ts'
import type { Llm, LlmImage, LlmRequest } from './llm.ts'
import { retryText } from './providers.ts'
import { ask as askLlm } from './testing/ask.ts'
import {
  anthropicError,
  ends,
  event,
  saysAnthropic,
  startFakeAnthropic,
  starts,
  thinks,
  writes,
} from './testing/fake-anthropic.ts'
import { breaksOff, hangs, refuses, repeats, streams } from './testing/fake-openai.ts'

let provider: Awaited<ReturnType<typeof startFakeAnthropic>>
let llm: Llm
let impatient: Llm
beforeAll(async () => {
  provider = await startFakeAnthropic()
  const connection = connect({ ...provider.keys, kind: 'anthropic' })
  llm = anthropicLlm(connection)
  impatient = anthropicLlm(connection, { firstTokenMs: 400, silenceMs: 400, thinkingMs: 1500 })
})
afterAll(() => provider.close())

const question = { role: 'user' as const, content: 'Как дела?' }

const ask = (more: Partial<LlmRequest> = {}, from = llm) => askLlm(from, { model: 'claude-sonnet-9', ...more })

test('a plain answer has text, reason and usage; the limit is sent (S10.294)', async () => {
  provider.play(saysAnthropic('При', 'вет'))
  expect(await ask()).toEqual({
    text: 'Привет',
    thought: '',
    end: { reason: 'stop', usage: { inputTokens: 7, outputTokens: 5 } },
    error: null,
  })
  expect(provider.received[0]).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': provider.keys.apiKey },
    body: { model: 'claude-sonnet-9', stream: true, max_tokens: 32_000 },
  })
  expect(provider.received[0]?.headers.authorization).toBeUndefined()
})

test('instructions go apart, the stable beginning is cached, empty messages dropped (S10.294)', async () => {
  provider.play(saysAnthropic('Да'))
  await ask({
    messages: [
      { role: 'system', content: 'Отвечай кратко' },
      { role: 'assistant', content: 'С чего начнём?' },
      { role: 'user', content: ' ' },
      { role: 'user', content: 'С начала' },
      { role: 'assistant', content: 'Хорошо' },
      question,
    ],
  })
  const cache_control = { type: 'ephemeral' }
  const text = (words: string, mark = {}) => [{ type: 'text', text: words, ...mark }]
  expect(provider.received[0]?.body).toMatchObject({
    system: text('Отвечай кратко', { cache_control }),
    messages: [
      { role: 'user', content: text('[начало чата опущено]') },
      { role: 'assistant', content: text('С чего начнём?') },
      { role: 'user', content: text('С начала') },
      { role: 'assistant', content: text('Хорошо', { cache_control }) },
      { role: 'user', content: text('Как дела?') },
    ],
  })
})

test('an image is streamed as base64 before the words, each try', async () => {
  const bytes = Buffer.from(Array.from({ length: 10_001 }, (_, i) => i % 251))
  let reads = 0
  const image: LlmImage = {
    mime: 'image/png',
    bytes: bytes.length,
    read: async function* () {
      reads += 1
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
    },
  }
  provider.play(refuses(529, anthropicError('overloaded_error', 'Overloaded')), saysAnthropic('Вижу'))
  expect(await ask({ messages: [{ ...question, images: [image] }] }, retryText(llm, 1))).toMatchObject({
    text: 'Вижу',
  })
  const source = { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') }
  expect(provider.received.at(-1)?.body.messages[0].content).toEqual([
    { type: 'image', source },
    { type: 'text', text: 'Как дела?' },
  ])
  expect(reads).toBe(2)
})

describe('thinking', () => {
  test('shown: the thought comes apart from the text, without its signature (S10.294)', async () => {
    provider.play(
      streams(starts(), thinks(0, 'Надо ', 'подумать'), writes(1, 'Готово'), ends('end_turn', { output_tokens: 40 })),
    )
    expect(await ask({ thinking: 'more', maxTokens: 4000 })).toMatchObject({
      text: 'Готово',
      thought: 'Надо подумать',
      end: {
        reason: 'stop',
        usage: { inputTokens: 7, outputTokens: 40, thoughtTokens: 5, hiddenThoughtTokens: 0 },
      },
    })
    expect(provider.received[0]?.body).toMatchObject({
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 3200 },
    })
  })

  test('hidden: thoughts that the provider only counts are hidden', async () => {
    const usage = { output_tokens: 400, output_tokens_details: { thinking_tokens: 300 } }
    const redacted = event('content_block_start', {
      index: 0,
      content_block: { type: 'redacted_thinking', data: 'Emw' },
    })
    provider.play(
      streams(starts(), redacted, event('content_block_stop', { index: 0 }), writes(1, 'Да'), ends('end_turn', usage)),
    )
    expect((await ask({ thinking: 'most' })).end?.usage).toEqual({
      inputTokens: 7,
      outputTokens: 400,
      thoughtTokens: 300,
      hiddenThoughtTokens: 300,
    })
  })

  test('that eats the limit ends by length without a word', async () => {
    provider.play(streams(starts(), thinks(0, 'Думаю'), ends('max_tokens', { output_tokens: 4000 })))
    expect(await ask({ thinking: 'most', maxTokens: 4000 })).toMatchObject({
      text: '',
      thought: 'Думаю',
      end: { reason: 'length', usage: { outputTokens: 4000 } },
    })
  })

  test('cut off in the thought is a failure', async () => {
    provider.play(breaksOff(starts(), thinks(0, 'Сначала')))
    const { text, thought, error } = await ask({ thinking: 'more' })
    expect({ text, thought }).toEqual({ text: '', thought: 'Сначала' })
    expect(error).toMatchObject({ kind: 'down' })
  })

  test.each([
    ['usual', undefined],
    ['none', { type: 'disabled' }],
    ['more', { type: 'enabled', budget_tokens: 8192 }],
    ['most', { type: 'enabled', budget_tokens: 24_576 }],
  ] as const)('«%s» is sent as %j', async (thinking, sent) => {
    provider.play(saysAnthropic('Да'))
    await ask({ thinking })
    expect(provider.received[0]?.body.thinking).toEqual(sent)
  })

  test('a limit below the least budget sends no budget', async () => {
    provider.play(saysAnthropic('Да'))
    await ask({ thinking: 'most', maxTokens: 1000 })
    expect(provider.received[0]?.body).not.toHaveProperty('thinking')
  })

  test('a model that refuses the budget gets the effort from then on (S10.297)', async () => {
    const model = 'claude-opus-9'
    const words =
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort"'
    provider.play(refuses(400, anthropicError('invalid_request_error', words)), saysAnthropic('Да'))
    expect(await ask({ model, thinking: 'most' })).toMatchObject({ text: 'Да' })
    await ask({ model, thinking: 'more' })
    expect(provider.received.map(({ body }) => [body.thinking.type, body.output_config])).toEqual([
      ['enabled', undefined],
      ['adaptive', { effort: 'high' }],
      ['adaptive', { effort: 'medium' }],
    ])
  })

  test('a model that cannot think is asked without thinking', async () => {
    const rejects = refuses(400, anthropicError('invalid_request_error', 'thinking: Extra inputs are not permitted'))
    provider.play(rejects, rejects, saysAnthropic('Да'))
    expect(await ask({ model: 'claude-old', thinking: 'more' })).toMatchObject({ text: 'Да' })
    expect(provider.received.at(-1)?.body).not.toHaveProperty('thinking')
  })

  test('pings break the silence of a thought only up to its limit', async () => {
    const opened = event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } })
    provider.play(repeats(event('ping'), 100, starts(), opened))
    const startedAt = performance.now()
    expect((await ask({}, impatient)).error).toMatchObject({ kind: 'timeout' })
    expect(performance.now() - startedAt).toBeGreaterThan(1200)
    provider.play(repeats(event('ping'), 100, starts()))
    expect((await ask({}, impatient)).error).toMatchObject({ kind: 'timeout' })
  })
})

test('a limit above the model’s own is lowered', async () => {
  const message = 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-small'
  provider.play(refuses(400, anthropicError('invalid_request_error', message)), saysAnthropic('Да'))
  expect(await ask({ model: 'claude-small', maxTokens: 100_000 })).toMatchObject({ text: 'Да' })
  await ask({ model: 'claude-small', maxTokens: 50_000 })
  await ask({ model: 'claude-small', maxTokens: 100_000 })
  expect(provider.received.map(({ body }) => body.max_tokens)).toEqual([100_000, 64_000, 50_000, 64_000])
})

test('cached input is input, with reads and writes counted apart (S10.294)', async () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 2000, cache_creation_input_tokens: 300, output_tokens: 1 }
  provider.play(streams(starts(usage), writes(0, 'Да'), ends('end_turn')))
  expect((await ask()).end?.usage).toEqual({
    inputTokens: 2310,
    outputTokens: 5,
    cachedTokens: 2000,
    cacheWriteTokens: 300,
  })
})

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
])('the reason %s is %s', async (given, reason) => {
  provider.play(streams(starts(), writes(0, 'Т'), ends(given)))
  expect((await ask()).end?.reason).toBe(reason)
})

test.each([
  [401, 'authentication_error', 'invalid x-api-key', 'key'],
  [403, 'permission_error', 'Your API key does not have permission', 'key'],
  [402, 'billing_error', 'Billing', 'credit'],
  [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'credit'],
  [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'too_long'],
  [400, 'invalid_request_error', 'input length and `max_tokens` exceed context limit: 1 + 2 > 2', 'too_long'],
  [413, 'request_too_large', 'Request exceeds the maximum size', 'too_long'],
  [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'filter'],
  [404, 'not_found_error', 'model: claude-none', 'missing'],
  [429, 'rate_limit_error', 'This request would exceed your rate limit', 'busy'],
  [500, 'api_error', 'Internal server error', 'down'],
  [504, 'timeout_error', 'Timed out', 'timeout'],
  [529, 'overloaded_error', 'Overloaded', 'busy'],
])('%i %s «%s» is the error «%s»', async (status, type, message, kind) => {
  provider.play(refuses(status, anthropicError(type, message)))
  expect((await ask()).error).toMatchObject({ kind })
})

test('a busy provider names the time to wait', async () => {
  provider.play(refuses(429, anthropicError('rate_limit_error', 'slow down'), { 'retry-after': '7' }))
  expect((await ask()).error).toMatchObject({ kind: 'busy', retryAfterMs: 7000 })
})

test('a wrong key is an error of the key', async () => {
  const stranger = anthropicLlm(connect({ ...provider.keys, apiKey: 'other', kind: 'anthropic' }))
  expect((await ask({}, stranger)).error).toMatchObject({ kind: 'key' })
})

test('an error in the stream comes after the text before it (S10.294)', async () => {
  provider.play(streams(starts(), writes(0, 'Нача'), event('error', anthropicError('overloaded_error', 'Overloaded'))))
  const { text, error } = await ask()
  expect(text).toBe('Нача')
  expect(error).toMatchObject({ kind: 'busy' })
})

test('a named end is the end, whatever the connection does', async () => {
  provider.play(hangs(starts(), writes(0, 'Всё'), ends('end_turn')))
  expect(await ask()).toMatchObject({ text: 'Всё', end: { reason: 'stop' } })
  provider.play(streams(starts(), writes(0, 'Полсло')))
  expect((await ask()).error).toMatchObject({ kind: 'down' })
})
