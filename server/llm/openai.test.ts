import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { connect } from './connection.ts'
import { LlmError } from './errors.ts'
import type { Llm, LlmEnd, LlmImage, LlmRequest } from './llm.ts'
import { openAiLlm, plainText } from './openai.ts'
import { retryText } from './providers.ts'
import {
  breaksOff,
  chunk,
  DONE,
  type FakeOpenAi,
  hangs,
  refuses,
  repeats,
  says,
  saysSlowly,
  startFakeOpenAi,
  streams,
  thoughtChunk,
  usageChunk,
  usageOf,
} from './testing/fake-openai.ts'

let provider: FakeOpenAi
let llm: Llm
let impatient: Llm
/** Has a short limit for the whole thinking time, and long ones otherwise. */
let withShortThinking: Llm
beforeAll(async () => {
  provider = await startFakeOpenAi()
  const address = connect({ baseUrl: `${provider.baseUrl}/`, apiKey: 'the-key' })
  llm = openAiLlm(address)
  impatient = openAiLlm(address, { firstTokenMs: 500, silenceMs: 500, thinkingMs: 600_000 })
  withShortThinking = openAiLlm(address, { firstTokenMs: 600_000, silenceMs: 600_000, thinkingMs: 1000 })
})
afterAll(() => provider.close())

const forever = new AbortController().signal
const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Как дела?' }] }

async function think(extra: Partial<LlmRequest> = {}) {
  let [text, thought] = ['', '']
  const onThought = (part: string) => {
    thought += part
  }
  const end = await llm({ ...request, onThought, ...extra }, forever, (part) => {
    text += part
  })
  return { text, thought, end }
}

async function receive(from: Llm = llm, signal = new AbortController().signal) {
  let text = ''
  let end: LlmEnd | null = null
  let kind: unknown = null
  try {
    end = await from(request, signal, (chunk) => {
      text += chunk
    })
  } catch (error) {
    kind = error instanceof LlmError ? error.kind : error
  }
  return { text, end, kind }
}

test('a plain stream gives the text, the finish reason and the usage', async () => {
  provider.play(says('При', 'вет'))
  expect(await receive()).toEqual({
    text: 'Привет',
    end: { reason: 'stop', usage: { inputTokens: 7, outputTokens: 2 } },
    kind: null,
  })
  expect(provider.received.at(-1)).toMatchObject({
    model: 'm',
    authorization: 'Bearer the-key',
    messages: request.messages,
  })
})

test('comments, odd lines, unknown fields and null content are accepted', async () => {
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
  expect(await receive()).toMatchObject({
    text: 'АБ',
    end: { reason: 'length', usage: { outputTokens: 2 } },
    kind: null,
  })
})

test('characters split between chunks arrive whole', async () => {
  const bytes = Buffer.from(chunk('Ёж 🦔 спит') + chunk(null, 'stop') + DONE)
  provider.play(streams(...Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))))
  expect(await receive()).toMatchObject({ text: 'Ёж 🦔 спит', kind: null })
})

test('missing [DONE] and usage are fine after a finish reason', async () => {
  provider.play(streams(chunk('Да', 'stop')))
  expect(await receive()).toEqual({ text: 'Да', end: { reason: 'stop', usage: null }, kind: null })
})

test('a content filter is an end with its reason', async () => {
  provider.play(streams(chunk('Н'), chunk(null, 'content_filter'), usageChunk(1, 1), DONE))
  expect(await receive()).toMatchObject({ text: 'Н', end: { reason: 'content_filter' } })
})

test.each([
  [401, {}, 'key'],
  [402, {}, 'credit'],
  [429, {}, 'busy'],
  [429, { error: { code: 'insufficient_quota' } }, 'credit'],
  [400, { error: { code: 'context_length_exceeded' } }, 'too_long'],
  [400, { error: { code: 'content_policy_violation' } }, 'filter'],
  [404, {}, 'missing'],
  [500, {}, 'down'],
  [504, {}, 'timeout'],
  [403, {}, 'key'],
  [403, { error: { message: 'flagged by moderation' } }, 'filter'],
])('an answer of %i %j is the error «%s»', async (status, body, kind) => {
  provider.play(refuses(status, body))
  expect(await receive()).toMatchObject({ text: '', kind })
})

test('an error inside the stream is an error after its text', async () => {
  provider.play(streams(chunk('Нача'), 'data: {"error":{"code":429,"message":"slow down"}}\n\n'))
  expect(await receive()).toMatchObject({ text: 'Нача', kind: 'busy' })
})

test('a cut socket, an empty stream and invalid data are errors', async () => {
  provider.play(breaksOff(chunk('Полсло')))
  expect(await receive()).toMatchObject({ text: 'Полсло', kind: 'down' })
  provider.play(streams(DONE))
  expect(await receive()).toMatchObject({ text: '', kind: 'down' })
  provider.play(streams('data: <html>\n\n'))
  expect(await receive()).toMatchObject({ kind: 'down' })
})

test('silence before the first word and in the middle is a timeout', async () => {
  provider.play(hangs())
  expect(await receive(impatient)).toMatchObject({ text: '', kind: 'timeout' })
  provider.play(hangs(chunk('Сейчас')))
  expect(await receive(impatient)).toMatchObject({ text: 'Сейчас', kind: 'timeout' })
})

test('a frozen process does not count its pause as the model’s silence', async () => {
  provider.play(saysSlowly(200, 'раз ', 'два ', 'три ', 'четыре'))
  let chunks = 0
  let text = ''
  const end = await impatient(request, forever, (chunk) => {
    text += chunk
    chunks += 1
    // Blocks the process as if it was frozen: no timer fires and nothing is read.
    if (chunks === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  })
  expect(text).toBe('раз два три четыре')
  expect(end.reason).toBe('stop')
})

describe('silence is measured by text and reasoning', () => {
  const quiet = [
    ['comments', ': OPENROUTER PROCESSING\n\n'],
    ['empty deltas', chunk('')],
    ['deltas without anything', 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n'],
    ['empty thoughts', 'data: {"choices":[{"delta":{"reasoning":"","reasoning_details":[]}}]}\n\n'],
  ] as const

  test.each(quiet)('%s do not interrupt it', async (_, part) => {
    provider.play(repeats(part, 40))
    expect(await receive(impatient)).toMatchObject({ text: '', kind: 'timeout' })
    provider.play(repeats(part, 40, chunk('Сейчас')))
    expect(await receive(impatient)).toMatchObject({ text: 'Сейчас', kind: 'timeout' })
  })

  test.each([
    ['reasoning', '"думаю"'],
    ['reasoning_content', '"думаю"'],
    ['reasoning_details', '[{"type":"reasoning.encrypted"}]'],
  ])('thoughts in %s interrupt it, up to their own limit', async (field, thought) => {
    const part = `data: {"choices":[{"delta":{"${field}":${thought}}}]}\n\n`
    provider.play(async (response) => {
      response.writeHead(200)
      for (let i = 0; i < 6; i += 1) {
        response.write(part)
        await new Promise((resolve) => setTimeout(resolve, 120))
      }
      response.end(chunk('Надумал', 'stop') + DONE)
    })
    expect(await receive(impatient)).toMatchObject({ text: 'Надумал', kind: null })
    provider.play(repeats(part, 40))
    expect(await receive(withShortThinking)).toMatchObject({ text: '', kind: 'timeout' })
  })

  test('a finished answer is complete, although the connection stays open', async () => {
    provider.play(repeats(': still here\n\n', 40, chunk('Всё', 'stop')))
    expect(await receive(impatient)).toMatchObject({ text: 'Всё', end: { reason: 'stop' }, kind: null })
  })
})

describe('a thought is read once, whatever a gateway calls it', () => {
  const end = [chunk('Да', 'stop'), DONE]
  test.each([
    ['DeepSeek and Qwen', [thoughtChunk('Думаю'), thoughtChunk(', думаю'), ...end]],
    ['OpenRouter', [thoughtChunk('Думаю', 'reasoning'), thoughtChunk(', думаю', 'reasoning'), ...end]],
    [
      'details alone',
      [
        thoughtChunk([{ type: 'reasoning.text', text: 'Думаю' }], 'reasoning_details'),
        thoughtChunk([{ type: 'reasoning.summary', summary: ', думаю' }], 'reasoning_details'),
        thoughtChunk([{ type: 'reasoning.encrypted', data: 'x' }], 'reasoning_details'),
        ...end,
      ],
    ],
    [
      'both at once',
      [
        `data: {"choices":[{"delta":{"reasoning":"Думаю, думаю","reasoning_details":[{"text":"Думаю, думаю"}]}}]}\n\n`,
        ...end,
      ],
    ],
    [
      'parts of the content',
      [
        `data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Думаю, думаю"}]}]}}]}\n\n`,
        `data: {"choices":[{"delta":{"content":[{"type":"text","text":"Да"}]},"finish_reason":"stop"}]}\n\n`,
        DONE,
      ],
    ],
    ['tags in the text', [chunk('<thi'), chunk('nk>Думаю, ду'), chunk('маю</th'), chunk('ink>\n\nДа', 'stop'), DONE]],
  ])('%s', async (_, parts) => {
    provider.play(streams(...parts))
    expect(await think()).toMatchObject({ thought: 'Думаю, думаю', text: 'Да', end: { reason: 'stop' } })
  })

  test('a text that only looks like a tag stays whole', async () => {
    provider.play(streams(chunk(' <thi'), chunk('s> и </think>', 'stop'), DONE))
    expect(await think()).toMatchObject({ thought: '', text: ' <this> и </think>' })
    provider.play(streams(chunk('<thin', 'stop'), DONE))
    expect(await think()).toMatchObject({ thought: '', text: '<thin' })
  })
})

describe('the usage counts thought and cache once', () => {
  const prompt = { prompt_tokens: 100, completion_tokens: 50 }
  test.each([
    [
      'OpenAI: the thought is inside the completion',
      { ...prompt, total_tokens: 150, completion_tokens_details: { reasoning_tokens: 40 } },
      { inputTokens: 100, outputTokens: 50, thoughtTokens: 40, hiddenThoughtTokens: 40 },
    ],
    [
      'Gemini: the thought is beside the completion',
      { ...prompt, total_tokens: 190, completion_tokens_details: { reasoning_tokens: 40 } },
      { inputTokens: 100, outputTokens: 90, thoughtTokens: 40, hiddenThoughtTokens: 40 },
    ],
    [
      'beside it and nowhere named',
      { ...prompt, total_tokens: 190 },
      { inputTokens: 100, outputTokens: 90, thoughtTokens: 40, hiddenThoughtTokens: 40 },
    ],
    [
      'a cache of OpenAI',
      { ...prompt, prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 } },
      { inputTokens: 100, outputTokens: 50, cachedTokens: 64 },
    ],
    [
      'tokens of audio, which are inside the counts',
      {
        ...{ ...prompt, total_tokens: 150, prompt_tokens_details: { audio_tokens: 30, text_tokens: 70 } },
        completion_tokens_details: { audio_tokens: 20, text_tokens: 30, reasoning_tokens: 0 },
      },
      { inputTokens: 100, outputTokens: 50 },
    ],
    [
      'a cache of DeepSeek',
      { ...prompt, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { inputTokens: 100, outputTokens: 50, cachedTokens: 64 },
    ],
    [
      'details that are null',
      { ...prompt, prompt_tokens_details: null, completion_tokens_details: null, total_tokens: null },
      { inputTokens: 100, outputTokens: 50 },
    ],
  ])('%s', async (_, sent, usage) => {
    provider.play(streams(chunk('Да', 'stop'), usageOf(sent), DONE))
    expect((await think()).end.usage).toEqual(usage)
  })

  test('a thought that was shown is not hidden', async () => {
    const sent = { ...prompt, completion_tokens_details: { reasoning_tokens: 40 } }
    provider.play(streams(thoughtChunk('Думаю'), chunk('Да', 'stop'), usageOf(sent), DONE))
    expect((await think()).end.usage).toMatchObject({ thoughtTokens: 40, hiddenThoughtTokens: 0 })
  })
})

test('a request is not repeated after a thought', async () => {
  provider.play(breaksOff(thoughtChunk('Думаю')), says('Ещё раз'))
  expect(await receive(retryText(llm, 1))).toMatchObject({ text: '', kind: 'down' })
})

test('an abort stops the call and is not the model’s error', async () => {
  provider.play(hangs(chunk('Я ещё')))
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  const { text, kind } = await receive(llm, controller.signal)
  expect(text).toBe('Я ещё')
  expect(kind).toMatchObject({ name: 'AbortError' })
})

test('a call that exceeds its caller’s time is a timeout', async () => {
  provider.play(hangs(chunk('Я ещё')))
  expect(await receive(llm, AbortSignal.timeout(50))).toMatchObject({ text: 'Я ещё', kind: 'timeout' })
})

test('an image is read while it is sent, and arrives as data', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_001 }, (_, i) => i % 251))
  let reads = 0
  const image: LlmImage = {
    mime: 'image/png',
    bytes: bytes.length,
    read: async function* () {
      reads += 1
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
    },
  }
  provider.play(refuses(503), says('Вижу'))
  const texts: string[] = []
  const messages = [
    { role: 'system' as const, content: 'Правила "с кавычками"\n' },
    { role: 'user' as const, content: 'Что это?', images: [image, image] },
  ]
  await retryText(llm, 1)({ model: 'm', messages, userId: 'anna', maxTokens: 9 }, forever, (chunk) => texts.push(chunk))
  expect(texts.join('')).toBe('Вижу')
  const url = `data:image/png;base64,${bytes.toString('base64')}`
  const part = { type: 'image_url', image_url: { url } }
  const { path, authorization, ...body } = provider.received.at(-1) ?? {}
  expect(body).toEqual({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 9,
    messages: [messages[0], { role: 'user', content: [{ type: 'text', text: 'Что это?' }, part, part] }],
  })
  expect(reads).toBe(4)
})

test('an unreadable image is not the model’s error', async () => {
  const gone = new AppError('not_found', 'Картинка не сохранилась')
  const image: LlmImage = {
    mime: 'image/png',
    bytes: 5,
    read: async function* () {
      yield Buffer.from('12')
      throw gone
    },
  }
  const messages = [{ role: 'user' as const, content: '', images: [image] }]
  await expect(retryText(llm, 1)({ model: 'm', messages }, forever, () => {})).rejects.toBe(gone)
})

test('a 429 is retried once before the first word, never after', async () => {
  provider.play(refuses(429), says('Со второго раза'))
  expect(await receive(retryText(llm, 1))).toMatchObject({ text: 'Со второго раза', kind: null })
  provider.play(breaksOff(chunk('Раз')), says('Два'))
  expect(await receive(retryText(llm, 1))).toMatchObject({ text: 'Раз', kind: 'down' })
})

test('only an event with just text is read without the schema', () => {
  const event = (delta: unknown, choice: object = {}, more: object = {}) =>
    plainText({ id: '1', choices: [{ index: 0, delta, finish_reason: null, ...choice }], usage: null, ...more })
  expect(event({ role: 'assistant', content: 'Привет' })).toBe('Привет')
  expect(event({ content: '' })).toBe('')
  expect(event({ content: 'a', reasoning: null })).toBe('a')
  const others = [
    event({ content: null }),
    event({ content: [{ type: 'text', text: 'a' }] }),
    event({ content: '', reasoning_content: 'hm' }),
    event({ content: 'a', reasoning_details: [] }),
    event(null),
    event({ content: 'a' }, { finish_reason: 'stop' }),
    event({ content: 'a' }, {}, { usage: { prompt_tokens: 1, completion_tokens: 1 } }),
    event({ content: 'a' }, {}, { error: { code: 500 } }),
    plainText({ choices: [] }),
    plainText({ choices: 'a' }),
    plainText(null),
    plainText('a'),
  ]
  expect(new Set(others)).toEqual(new Set([null]))
})
