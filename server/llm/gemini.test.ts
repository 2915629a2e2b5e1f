import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from './connection.ts'
import { geminiLlm } from './gemini.ts'
import type { Llm, LlmImage, LlmRequest } from './llm.ts'
import { ask as askLlm } from './testing/ask.ts'
import { geminiChunk, geminiError, saysGemini, startFakeGemini } from './testing/fake-gemini.ts'
import { breaksOff, refuses, streams } from './testing/fake-openai.ts'

let provider: Awaited<ReturnType<typeof startFakeGemini>>
let llm: Llm
beforeAll(async () => {
  provider = await startFakeGemini()
  llm = geminiLlm(connect({ ...provider.keys, kind: 'gemini' }))
})
afterAll(() => provider.close())

const question = { role: 'user' as const, content: 'Как дела?' }

const ask = (more: Partial<LlmRequest> = {}, from = llm) => askLlm(from, { model: 'gemini-9-flash', ...more })
const configOf = (n = 0) => provider.received[n]?.body.generationConfig

test('the key is sent as a header, and plain answers are read (S10.295)', async () => {
  provider.play(saysGemini('При', 'вет'))
  expect(await ask({ maxTokens: 9 })).toEqual({
    text: 'Привет',
    thought: '',
    end: { reason: 'stop', usage: { inputTokens: 7, outputTokens: 5 } },
    error: null,
  })
  expect(provider.received[0]).toMatchObject({
    path: '/v1beta/models/gemini-9-flash:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': provider.keys.apiKey },
  })
  expect(configOf()).toEqual({ maxOutputTokens: 9 })
})

test('instructions go apart, answers are of the model, images are inside', async () => {
  const image: LlmImage = {
    mime: 'image/webp',
    bytes: 4,
    read: async function* () {
      yield Buffer.from('1234')
    },
  }
  provider.play(saysGemini('Да'))
  await ask({
    messages: [
      { role: 'system', content: 'Отвечай кратко' },
      { role: 'user', content: 'Привет' },
      { role: 'assistant', content: 'Здравствуйте' },
      { ...question, images: [image] },
    ],
  })
  expect(provider.received[0]?.body).toEqual({
    systemInstruction: { parts: [{ text: 'Отвечай кратко' }] },
    generationConfig: {},
    contents: [
      { role: 'user', parts: [{ text: 'Привет' }] },
      { role: 'model', parts: [{ text: 'Здравствуйте' }] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/webp', data: 'MTIzNA==' } }, { text: 'Как дела?' }] },
    ],
  })
})

describe('thinking', () => {
  const used = { candidatesTokenCount: 5, thoughtsTokenCount: 40 }

  test('shown as a summary adds its tokens to the output once (S10.295)', async () => {
    provider.play(
      streams(
        geminiChunk([{ text: 'Надо подумать', thought: true }], undefined, { thoughtsTokenCount: 40 }),
        geminiChunk([{ text: 'Готово' }], 'STOP', used),
      ),
    )
    expect(await ask({ thinking: 'more' })).toMatchObject({
      text: 'Готово',
      thought: 'Надо подумать',
      end: { reason: 'stop', usage: { inputTokens: 7, outputTokens: 45, thoughtTokens: 40, hiddenThoughtTokens: 35 } },
    })
  })

  test('hidden: only the count shows it (S10.295)', async () => {
    provider.play(streams(geminiChunk([{ text: 'Готово' }], 'STOP', used)))
    expect((await ask()).end?.usage).toMatchObject({ outputTokens: 45, thoughtTokens: 40, hiddenThoughtTokens: 40 })
  })

  test('that eats the limit ends by length without a word', async () => {
    provider.play(streams(geminiChunk([], 'MAX_TOKENS', { thoughtsTokenCount: 900 })))
    expect(await ask({ thinking: 'most', maxTokens: 900 })).toMatchObject({
      text: '',
      end: { reason: 'length', usage: { outputTokens: 900, hiddenThoughtTokens: 900 } },
    })
    expect(configOf().thinkingConfig.thinkingBudget).toBe(720)
  })

  test('cut off in the thought is a failure', async () => {
    provider.play(breaksOff(geminiChunk([{ text: 'Сначала', thought: true }])))
    const { thought, error } = await ask({ thinking: 'more' })
    expect(thought).toBe('Сначала')
    expect(error).toMatchObject({ kind: 'down' })
  })

  test.each([
    [undefined, undefined],
    ['usual', { includeThoughts: true }],
    ['none', { thinkingBudget: 0 }],
    ['more', { includeThoughts: true, thinkingBudget: 8192 }],
    ['most', { includeThoughts: true, thinkingBudget: 24_576 }],
  ] as const)('«%s» is sent as %j', async (thinking, sent) => {
    provider.play(saysGemini('Да'))
    await ask(thinking ? { thinking } : {})
    expect(configOf().thinkingConfig).toEqual(sent)
  })

  test('a model that must think gets the least from then on (S10.297)', async () => {
    const no = (message: string) => refuses(400, geminiError(400, 'INVALID_ARGUMENT', message))
    provider.play(
      no('Budget 0 is invalid. This model only works in thinking mode.'),
      no('Thinking level is not supported for this model.'),
      saysGemini('Да'),
    )
    const model = 'gemini-9-pro'
    expect(await ask({ model, thinking: 'none' })).toMatchObject({ text: 'Да' })
    await ask({ model, thinking: 'none' })
    expect(provider.received.map(({ body }) => body.generationConfig.thinkingConfig)).toEqual([
      { thinkingBudget: 0 },
      { thinkingLevel: 'minimal' },
      { thinkingBudget: 128 },
      { thinkingBudget: 128 },
    ])
  })

  test('a model that cannot think at all is asked without thinking', async () => {
    const no = refuses(400, geminiError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'))
    provider.play(no, no, no, saysGemini('Да'))
    expect(await ask({ model: 'gemini-old', thinking: 'more' })).toMatchObject({ text: 'Да' })
    expect(configOf(3)).toEqual({})
  })
})

test('a cache hit is a part of the input', async () => {
  const usage = { promptTokenCount: 5000, cachedContentTokenCount: 4096, candidatesTokenCount: 5 }
  provider.play(streams(geminiChunk([{ text: 'Да' }], 'STOP', usage)))
  expect((await ask()).end?.usage).toEqual({ inputTokens: 5000, outputTokens: 5, cachedTokens: 4096 })
})

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['OTHER', 'stop'],
])('the reason %s is %s', async (given, reason) => {
  provider.play(streams(geminiChunk([{ text: 'Т' }], given)))
  expect((await ask()).end?.reason).toBe(reason)
})

test('a question that is blocked ends by the filter', async () => {
  provider.play(streams(`data: ${JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } })}\r\n\r\n`))
  expect(await ask()).toMatchObject({ text: '', end: { reason: 'content_filter' } })
})

test.each([
  [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'key'],
  [403, 'PERMISSION_DENIED', 'Permission denied', 'key'],
  [400, 'FAILED_PRECONDITION', 'Please enable billing on your project', 'credit'],
  [429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted', 'credit'],
  [400, 'INVALID_ARGUMENT', 'The input token count (2) exceeds the maximum number of tokens allowed (1).', 'too_long'],
  [400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.', 'refused'],
  [404, 'NOT_FOUND', 'models/none is not found', 'missing'],
  [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', 'busy'],
  [500, 'INTERNAL', 'An internal error has occurred', 'down'],
  [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.', 'busy'],
  [504, 'DEADLINE_EXCEEDED', 'Deadline expired', 'timeout'],
])('%i %s «%s» is the error «%s»', async (code, status, message, kind) => {
  provider.play(refuses(code, geminiError(code, status, message)))
  expect((await ask()).error).toMatchObject({ kind })
})

test('a busy provider names the time to wait in its error', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17.5s' }]
  provider.play(refuses(429, geminiError(429, 'RESOURCE_EXHAUSTED', 'quota', details)))
  expect((await ask()).error).toMatchObject({ kind: 'busy', retryAfterMs: 17_500 })
})

test('a wrong key is an error of the key', async () => {
  const stranger = geminiLlm(connect({ ...provider.keys, apiKey: 'other', kind: 'gemini' }))
  expect((await ask({}, stranger)).error).toMatchObject({ kind: 'key' })
})

test('an error in the stream follows its text; missing reasons mean interruption', async () => {
  const error = `data: ${JSON.stringify(geminiError(503, 'UNAVAILABLE', 'overloaded'))}\r\n\r\n`
  provider.play(streams(geminiChunk([{ text: 'Нача' }]), error))
  const failed = await ask()
  expect(failed.text).toBe('Нача')
  expect(failed.error).toMatchObject({ kind: 'busy' })
  provider.play(streams(geminiChunk([{ text: 'Полсло' }])))
  expect((await ask()).error).toMatchObject({ kind: 'down' })
})
