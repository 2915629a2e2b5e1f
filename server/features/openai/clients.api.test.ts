import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { embed, generateImage, generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { asc, eq } from 'drizzle-orm'
import OpenAI, { APIUserAbortError, AuthenticationError, RateLimitError, toFile } from 'openai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { ledger } from '#server/db/schema.ts'
import { anImage } from '#server/features/images/testing/gallery.ts'
import { type Limits, TooManyRequests } from '#server/http/limits.ts'
import {
  chunk,
  draws,
  hangs,
  refuses,
  says,
  streams,
  thoughtChunk,
  usageChunk,
} from '#server/llm/testing/fake-openai.ts'
import { transcribes } from '#server/llm/testing/fake-transcriber.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf, withdraw } from '../billing/ledger.ts'
import { callsTool, startPrograms, vectors } from './testing/programs.ts'

/** Programs as people use them: each library against the real server. */

let isBusy = false
const limits: Limits = async (name) => {
  if (isBusy && name === 'programs-key') throw new TooManyRequests(1)
}
const programs = await closeAfterTests(startPrograms({ deps: { limits } }))
const { db, provider, baseURL, makeKey } = programs

let secret = ''
let userId = ''
let client: OpenAI
beforeEach(async () => {
  isBusy = false
  ;({ secret, userId } = await makeKey())
  client = new OpenAI({ apiKey: secret, baseURL, maxRetries: 0 })
})
afterEach(async () => expect(await reconcile(db)).toEqual([]))

const hello = [{ role: 'user' as const, content: 'Привет' }]
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false,
}
const weather = { name: 'weather', description: 'Погода', parameters: schema }

const lastEntry = async () =>
  (await db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(asc(ledger.id))).at(-1)
const spent = async () => 100_000 - (await balanceOf(db, userId)).availableTokens

describe('openai', () => {
  test('chats, streams with usage, and lists models (S10.969)', async () => {
    provider.play(says('Здравствуйте'))
    const whole = await client.chat.completions.create({ model: 'fast', messages: hello })
    expect(whole.choices[0]?.message.content).toBe('Здравствуйте')
    expect(whole.usage).toMatchObject({ prompt_tokens: 7, symbols: { charged: 30 } })
    provider.play(streams(thoughtChunk('Думаю'), chunk('Да'), chunk('!', 'stop'), usageChunk(5, 2)))
    const stream = client.chat.completions.stream({
      model: 'thinker',
      messages: hello,
      stream_options: { include_usage: true },
    })
    expect(await stream.finalContent()).toBe('Да!')
    expect((await stream.totalUsage()).total_tokens).toBe(7)
    const ids: string[] = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).toContain('fast')
    expect((await client.models.retrieve('fast')).owned_by).toBe('symbol')
  })

  test('functions in two turns (S10.969)', async () => {
    const tools = [{ type: 'function' as const, function: weather }]
    provider.play(callsTool())
    const first = await client.chat.completions.create({ model: 'fast', messages: hello, tools })
    const message = first.choices[0]?.message
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message?.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Омск"}' } },
    ])
    provider.play(says('Холодно'))
    const second = await client.chat.completions.create({
      ...{ model: 'fast', tools },
      messages: [...hello, ...(message ? [message] : []), { role: 'tool', tool_call_id: 'call_1', content: '-20' }],
    })
    expect(second.choices[0]?.message.content).toBe('Холодно')
    expect(provider.received.at(-1)).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather' } }],
      messages: [
        {},
        { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
        { role: 'tool', tool_call_id: 'call_1', content: '-20' },
      ],
    })
  })

  test('a JSON schema and images reach the model (S10.969)', async () => {
    provider.play(says('{"city":"Омск"}'))
    const url = `data:image/png;base64,${PIXEL}`
    await client.chat.completions.create({
      model: 'fast',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Где это?' },
            { type: 'image_url', image_url: { url, detail: 'low' } },
          ],
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
    })
    expect(provider.received.at(-1)).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
      messages: [
        {
          content: [
            { type: 'text', text: 'Где это?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    })
    const shape = JSON.stringify({ name: 'place', schema, strict: true })
    expect(await lastEntry()).toMatchObject({ input: 1000 + 8 + shape.length })
  })

  test('vectors in both forms cost by their text (S10.970)', async () => {
    provider.play(vectors([0.25, -1.5], [3, 4]))
    const byDefault = await client.embeddings.create({ model: 'vectors', input: ['раз', 'два'] })
    expect(byDefault.data.map(({ embedding }) => embedding)).toEqual([
      [0.25, -1.5],
      [3, 4],
    ])
    provider.play(vectors([0.1]))
    const floats = await client.embeddings.create({
      model: 'vectors',
      input: 'слово',
      encoding_format: 'float',
      dimensions: 1,
    })
    expect(floats.data[0]?.embedding).toEqual([0.1])
    expect(provider.received.at(-1)).toMatchObject({ dimensions: 1, input: ['слово'] })
    expect(await lastEntry()).toMatchObject({ kind: 'indexing', symbols: -3, modelId: 'vectors', input: 5 })
    provider.play(vectors([1]))
    await client.embeddings.create({ model: 'vectors', input: [5, 6, 7] as unknown as string[] })
    expect(provider.received.at(-1)).toMatchObject({ input: [[5, 6, 7]] })
  })

  test('an image is in the answer only and costs its price (S10.971)', async () => {
    const image = await anImage()
    provider.play(draws(image))
    const made = await client.images.generate({ model: 'brush', prompt: 'Кот', n: 2, output_format: 'webp' })
    const bytes = Buffer.from(made.data?.[1]?.b64_json ?? '', 'base64')
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
    expect(await lastEntry()).toMatchObject({ kind: 'image', symbols: -1000, modelId: 'brush' })
    provider.play(refuses(500))
    await expect(client.images.generate({ model: 'brush', prompt: 'Кот' })).rejects.toMatchObject({ status: 502 })
    await expect(client.images.generate({ model: 'brush', prompt: 'Кот', size: '256x256' })).rejects.toMatchObject({
      status: 400,
      param: 'size',
    })
    expect(await spent()).toBe(1000)
  })

  test('a recording is heard and costs its seconds (S10.972)', async () => {
    const file = await toFile(makeWav([{ seconds: 2, loud: 0.5 }]), 'note.wav')
    programs.transcriber.play(transcribes('Раз', 'два'))
    const heardText = await client.audio.transcriptions.create({ model: 'ear', file, language: 'ru' })
    expect(heardText.text).toBe('Раз два')
    expect(await lastEntry()).toMatchObject({ kind: 'transcription', symbols: -2, modelId: 'ear' })
    const subtitles = await client.audio.transcriptions.create({ model: 'ear', file, response_format: 'srt' })
    expect(subtitles).toContain('00:00:01,000 --> 00:00:02,000')
    const verbose = await client.audio.transcriptions.create({ model: 'ear', file, response_format: 'verbose_json' })
    expect(verbose).toMatchObject({ duration: 2, segments: [{ id: 0, text: 'Раз' }, { id: 1 }] })
  })

  test('leaving in the middle costs what was sent (S10.964)', async () => {
    provider.play(hangs(chunk('я'.repeat(100))))
    const stream = await client.chat.completions.create({ model: 'fast', messages: hello, stream: true })
    for await (const part of stream) if (part.choices[0]?.delta.content) break
    await vi.waitFor(async () => expect(await lastEntry()).toMatchObject({ symbols: -206, output: 100 }))
    provider.play(hangs())
    const left = new AbortController()
    const waiting = client.chat.completions.create({ model: 'fast', messages: hello }, { signal: left.signal })
    setTimeout(() => left.abort(), 50)
    await expect(waiting).rejects.toBeInstanceOf(APIUserAbortError)
    await vi.waitFor(async () => expect((await balanceOf(db, userId)).held).toBe(0))
    expect(await spent()).toBe(206)
  })

  test('wrong keys, empty balances and limits are told apart (S10.963)', async () => {
    const stranger = new OpenAI({ apiKey: 'sk-none', baseURL, maxRetries: 2 })
    await expect(stranger.models.list()).rejects.toBeInstanceOf(AuthenticationError)
    isBusy = true
    const busy = await client.models.list().catch((error: unknown) => error as RateLimitError)
    expect(busy).toBeInstanceOf(RateLimitError)
    expect((busy as RateLimitError).headers?.get('retry-after')).toBe('1')
    isBusy = false
    await withdraw(db, { key: `take:${userId}`, userId, symbols: 100_000, note: 'тест' })
    const asked = provider.received.length
    const patient = new OpenAI({ apiKey: secret, baseURL, maxRetries: 2 })
    const poor = patient.chat.completions.create({ model: 'fast', messages: hello })
    await expect(poor).rejects.toMatchObject({ status: 402, code: 'insufficient_quota' })
    expect(provider.received.length).toBe(asked)
  })

  test('an answer longer than the cap of its key ends there (S10.964)', async () => {
    const capped = await makeKey({ capDay: 3006 })
    provider.play(says(...Array.from({ length: 100 }, () => 'я'.repeat(40))))
    const own = new OpenAI({ apiKey: capped.secret, baseURL, maxRetries: 0 })
    const stream = own.chat.completions.stream({
      model: 'fast',
      messages: hello,
      stream_options: { include_usage: true },
    })
    const answer = await stream.finalChatCompletion()
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'я'.repeat(1500) } })
    expect((await balanceOf(db, capped.userId)).availableTokens).toBe(100_000 - 3006)
  })
})

describe('ai with @ai-sdk/openai-compatible', () => {
  const sdk = () =>
    createOpenAICompatible({
      name: 'symbol',
      baseURL,
      apiKey: secret,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })

  test('text, thought, functions in two turns and an object (S10.969)', async () => {
    provider.play(streams(thoughtChunk('Думаю'), chunk('Да', 'stop'), usageChunk(5, 2)))
    const streamed = streamText({ model: sdk()('thinker'), prompt: 'Привет' })
    expect([await streamed.text, await streamed.reasoningText]).toEqual(['Да', 'Думаю'])
    expect((await streamed.usage).totalTokens).toBe(7)
    provider.play(callsTool(), says('Холодно'))
    const { text, steps } = await generateText({
      model: sdk()('fast'),
      prompt: 'Погода?',
      tools: {
        weather: tool({
          inputSchema: jsonSchema<{ city: string }>(schema),
          execute: async ({ city }) => `${city}: -20`,
        }),
      },
      stopWhen: stepCountIs(3),
    })
    expect([text, steps.length]).toEqual(['Холодно', 2])
    expect(JSON.stringify(provider.received.at(-1)?.messages)).toContain('Омск: -20')
    provider.play(says('{"city":"Омск"}'))
    const { object } = await generateObject({
      model: sdk()('fast'),
      schema: jsonSchema<{ city: string }>(schema),
      prompt: 'Где?',
    })
    expect(object).toEqual({ city: 'Омск' })
  })

  test('vectors, images and an empty balance (S10.970, S10.971)', async () => {
    provider.play(vectors([0.5]))
    const { embedding } = await embed({ model: sdk().embeddingModel('vectors'), value: 'слово' })
    expect(embedding).toEqual([0.5])
    provider.play(draws(await anImage()))
    const { image } = await generateImage({ model: sdk().imageModel('brush'), prompt: 'Кот' })
    expect(image.mediaType).toBe('image/png')
    await withdraw(db, { key: `take:${userId}`, userId, symbols: 100_000, note: 'тест' })
    await expect(generateText({ model: sdk()('fast'), prompt: 'Да?', maxRetries: 2 })).rejects.toMatchObject({
      statusCode: 402,
    })
  })
})

describe('@langchain/openai', () => {
  test('chats, streams, calls functions and makes vectors (S10.969)', async () => {
    const chat = new ChatOpenAI({ model: 'fast', apiKey: secret, maxRetries: 0, configuration: { baseURL } })
    provider.play(says('Здравствуйте'))
    const whole = await chat.invoke('Привет')
    expect([whole.text, whole.usage_metadata?.total_tokens]).toEqual(['Здравствуйте', 8])
    provider.play(says('Да', '!'))
    let text = ''
    for await (const part of await chat.stream('Привет')) text += part.text
    expect(text).toBe('Да!')
    const bound = chat.bindTools([{ type: 'function', function: weather }])
    provider.play(callsTool())
    const asked = await bound.invoke([new HumanMessage('Погода?')])
    expect(asked.tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Омск' }, id: 'call_1' }])
    provider.play(says('Холодно'))
    const result = new ToolMessage({ tool_call_id: 'call_1', content: '-20' })
    expect((await bound.invoke([new HumanMessage('Погода?'), asked, result])).text).toBe('Холодно')
    provider.play(vectors([0.5, 1]))
    const embeddings = new OpenAIEmbeddings({ model: 'vectors', apiKey: secret, configuration: { baseURL } })
    expect(await embeddings.embedQuery('слово')).toEqual([0.5, 1])
  })
})

describe('the Responses API', () => {
  test('@ai-sdk/openai streams, thinks and calls functions in two turns (S10.973)', async () => {
    const sdk = createOpenAI({ baseURL, apiKey: secret })
    const providerOptions = { openai: { store: false } }
    provider.play(streams(thoughtChunk('Думаю'), chunk('Да'), chunk('!', 'stop'), usageChunk(5, 2)))
    const streamed = streamText({ model: sdk('thinker'), prompt: 'Привет', system: 'Кратко', providerOptions })
    expect([await streamed.text, await streamed.reasoningText]).toEqual(['Да!', 'Думаю'])
    expect((await streamed.usage).totalTokens).toBe(7)
    expect(provider.received.at(-1)?.messages).toEqual([
      { role: 'system', content: 'Кратко' },
      { role: 'user', content: 'Привет' },
    ])
    provider.play(callsTool(), says('Холодно'))
    const execute = async ({ city }: { city: string }) => `${city}: -20`
    const tools = { weather: tool({ inputSchema: jsonSchema<{ city: string }>(schema), execute }) }
    const { text, steps } = await generateText({
      ...{ model: sdk('fast'), prompt: 'Погода?', tools, providerOptions },
      stopWhen: stepCountIs(3),
    })
    expect([text, steps.length]).toEqual(['Холодно', 2])
    expect(provider.received.at(-1)?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Омск: -20' },
    ])
    provider.play(callsTool())
    const called = streamText({
      model: sdk('fast'),
      prompt: 'Погода?',
      tools: { weather: { inputSchema: jsonSchema(schema) } },
      providerOptions,
    })
    expect(await called.toolCalls).toMatchObject([{ toolName: 'weather', input: { city: 'Омск' } }])
    provider.play(says('{"city":"Омск"}'))
    const object = { model: sdk('fast'), schema: jsonSchema<{ city: string }>(schema), prompt: 'Где?', providerOptions }
    expect((await generateObject(object)).object).toEqual({ city: 'Омск' })
    expect(provider.received.at(-1)).toMatchObject({ response_format: { type: 'json_schema' } })
  })

  test('openai and langchain read whole responses and events (S10.973)', async () => {
    provider.play(says('Здравствуйте'))
    const whole = await client.responses.create({ model: 'fast', instructions: 'Вежливо', input: 'Привет' })
    expect(whole).toMatchObject({
      status: 'completed',
      output_text: 'Здравствуйте',
      usage: { total_tokens: 8, symbols: { charged: 37 } },
    })
    provider.play(streams(chunk('Длинно'), chunk(null, 'length')))
    const events: string[] = []
    const content = [
      { type: 'input_image' as const, detail: 'auto' as const, image_url: `data:image/png;base64,${PIXEL}` },
    ]
    for await (const { type } of await client.responses.create({
      model: 'fast',
      input: [{ role: 'user', content }],
      stream: true,
    }))
      events.push(type.replace('response.', ''))
    expect(events).toEqual([
      ...['created', 'in_progress', 'output_item.added', 'content_part.added', 'output_text.delta'],
      ...['output_text.done', 'content_part.done', 'output_item.done', 'incomplete'],
    ])
    const chat = new ChatOpenAI({
      model: 'fast',
      apiKey: secret,
      useResponsesApi: true,
      maxRetries: 0,
      configuration: { baseURL },
    })
    provider.play(says('Да'))
    expect((await chat.invoke('Привет')).text).toBe('Да')
    const again = client.responses.create({ model: 'fast', input: 'Да?', previous_response_id: whole.id })
    await expect(again).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
    provider.play(refuses(500))
    await expect(client.responses.create({ model: 'fast', input: 'Да?', stream: true })).rejects.toMatchObject({
      status: 502,
    })
  })
})
