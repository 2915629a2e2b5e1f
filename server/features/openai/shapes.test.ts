import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { ChatBody, EmbeddingsBody } from '#contract/openai.ts'
import type { Env } from '#server/http/route.ts'
import { chatCallOf, inputSymbols } from './chat-request.ts'
import { chunksOf, usageOf } from './chat-response.ts'
import { checkBody, readBytes } from './door.ts'
import { base64Of, inputsOf } from './embeddings.ts'
import { messagesOf } from './responses-request.ts'
import { cutAtStop } from './stop-words.ts'

const call = (body: object) =>
  chatCallOf(checkBody(ChatBody, { model: 'm', messages: [{ role: 'user', content: 'да' }], ...body }))

test('a request becomes ours (S10.961, S10.962)', () => {
  const made = call({
    stop: 'x',
    max_tokens: 5,
    max_completion_tokens: 7,
    reasoning_effort: 'low',
    temperature: 0,
    tools: [],
    tool_choice: 'auto',
  })
  expect(made).toMatchObject({
    maxTokens: 7,
    thinking: 'usual',
    options: { stop: ['x'], sampling: { temperature: 0 } },
  })
  expect(made.options).not.toHaveProperty('tools')
  expect(made.options).not.toHaveProperty('toolChoice')
  const parts = [
    { type: 'text', text: 'раз' },
    { type: 'text', text: 'два' },
  ]
  expect(call({ messages: [{ role: 'developer', content: parts }] }).messages).toEqual([
    { role: 'system', content: 'раз\n\nдва' },
  ])
})

test('everything that the model reads is counted (S10.964)', () => {
  const url = 'data:image/jpg;base64,AAAA'
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'да' },
        { type: 'image_url', image_url: url },
      ],
    },
    { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: '1', content: 'ок' },
  ]
  expect(inputSymbols(call({ messages, tools }))).toBe(2 + 1000 + 3 + 2 + JSON.stringify({ name: 'f' }).length)
})

test('chunks are what JSON.parse expects (S10.961)', () => {
  const chunks = chunksOf({ id: 'a"b', created: 1, model: 'm' }, false)
  expect(JSON.parse(chunks.text('«"\n»').slice(6))).toEqual({
    ...{ id: 'a"b', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta: { content: '«"\n»' }, logprobs: null, finish_reason: null }],
  })
})

test('tokens that a provider does not count are estimated (S10.961)', () => {
  const symbols = { charged: 1, left: 2 }
  const usage = usageOf({ usage: null, sizes: { input: 30, output: 20, thought: 10 }, symbols })
  expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
  expect(usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(0)
})

describe('stop words (S10.962)', () => {
  test.each([
    [['ab'], ['xa', 'by'], 'x', true],
    [['ab'], ['xa', 'c'], 'xac', false],
    [['abc', 'b'], ['a', 'b', 'c'], 'a', true],
    [['\n\n'], ['a\n', 'b\n', '\nc'], 'a\nb', true],
    [[], ['a', 'b'], 'ab', false],
  ])('%j in %j leave %j', (stops, texts, expected, isStopped) => {
    const words = cutAtStop(stops)
    const got = texts.map((text) => words.push(text)).join('') + words.rest()
    expect([got, words.isStopped()]).toEqual([expected, isStopped])
  })
})

test('vectors are base64 of 32-bit floats, and inputs have four forms (S10.970)', () => {
  expect(base64Of([1, -2])).toBe(Buffer.from(new Float32Array([1, -2]).buffer).toString('base64'))
  const inputs = (input: unknown) => inputsOf(checkBody(EmbeddingsBody, { model: 'm', input }).input)
  expect(inputs('a')).toEqual({ texts: ['a'] })
  expect(inputs(['a', 'b'])).toEqual({ texts: ['a', 'b'] })
  expect(inputs([1, 2])).toEqual({ texts: [], tokens: [[1, 2]] })
  expect(inputs([[1], [2]])).toEqual({ texts: [], tokens: [[1], [2]] })
  expect(() => inputs([])).toThrow('input')
})

test('calls of functions join the message before them (S10.973)', () => {
  const item = { type: 'function_call' as const, name: 'f', arguments: '{}' }
  const messages = messagesOf([
    { role: 'assistant', content: 'Смотрю' },
    { ...item, call_id: '1' },
    { ...item, call_id: '2' },
    { type: 'function_call_output', call_id: '1', output: 'раз' },
    { type: 'reasoning' },
    { ...item, call_id: '3' },
  ])
  expect(messages.map(({ role, toolCalls }) => [role, toolCalls?.map(({ id }) => id)])).toEqual([
    ['assistant', ['1', '2']],
    ['tool', undefined],
    ['assistant', ['3']],
  ])
  expect(() => messagesOf([{ type: 'item_reference' }])).toThrow('store: false')
})

test('a body that comes too slowly is cut (S10.968)', async () => {
  const app = new Hono<Env>()
  app.onError((error, c) => c.text(error.message, 408))
  app.post('/', async (c) => c.text(String((await readBytes(c, { wholeMs: 100, silentMs: 30 })).length)))
  const send = (body: ReadableStream) => app.request('/', { method: 'POST', body, duplex: 'half' } as RequestInit)
  const silent = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) })
  expect((await send(silent)).status).toBe(408)
  const endless = new ReadableStream({
    async pull(controller) {
      await sleep(10)
      controller.enqueue(new Uint8Array(1))
    },
  })
  expect((await send(endless)).status).toBe(408)
})
