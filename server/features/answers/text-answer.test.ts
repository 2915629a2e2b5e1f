import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { LlmMessage } from '#server/llm/llm.ts'
import { createProviders, type Providers } from '#server/llm/providers.ts'
import { chunk, hangs, refuses, says, startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { usedBytes } from '#server/testing/memory.ts'
import type { ModelRow } from '../models/models.ts'
import { callModel, type ModelCall } from './text-answer.ts'

let providers: Providers
const provider = await closeAfterTests(startFakeOpenAi())
beforeAll(async () => {
  const timeouts = { firstTokenMs: 800, silenceMs: 3000, thinkingMs: 3000 }
  providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: null }], { timeouts })
})

const model = (id: string) => ({ id, provider: 'fake', providerModel: id }) as ModelRow
const question = (): LlmMessage[] => [{ role: 'user', content: 'Вопрос' }]
const call = (parts: Partial<ModelCall> = {}): ModelCall => ({
  model: model('main'),
  fallback: model('spare'),
  messages: question(),
  maxTokens: undefined,
  userId: 'anna',
  ...parts,
})
const requestedModels = (count: number) => provider.received.slice(-count).map((request) => request.model)

test('the fallback answers when a model hangs before its first word', async () => {
  provider.play(hangs(), says('Выручил'))
  const before = provider.received.length
  let text = ''
  await callModel(providers, call(), new AbortController().signal, {
    onText: (chunk) => {
      text += chunk
    },
    onFallback: () => {},
  })
  expect(text).toBe('Выручил')
  expect(provider.received.length - before).toBe(2)
  expect(requestedModels(2)).toEqual(['main', 'spare'])
})

test('a long Retry-After goes to the fallback at once', async () => {
  provider.play(refuses(429, {}, { 'retry-after': '30' }), says('Выручил'))
  const before = provider.received.length
  await callModel(providers, call(), new AbortController().signal, { onText: () => {}, onFallback: () => {} })
  expect(provider.received.length - before).toBe(2)
})

test('the fallback is called after it was stored, with the same question', async () => {
  provider.play(refuses(400), says('Да'))
  const before = provider.received.length
  let requests = 0
  await callModel(providers, call(), new AbortController().signal, {
    onText: () => {},
    onFallback: async ({ id }) => {
      expect(id).toBe('spare')
      await new Promise((resolve) => setTimeout(resolve, 50))
      requests = provider.received.length - before
    },
  })
  expect(requests).toBe(1)
  expect(provider.received.at(-1)?.messages).toEqual(question())
})

test('the fallback is not called after failed storing or a stop', async () => {
  provider.play(refuses(400), says('Да'))
  const before = provider.received.length
  const onText = () => {}
  const refused = callModel(providers, call(), new AbortController().signal, {
    onText,
    onFallback: () => Promise.reject(new Error('not stored')),
  })
  await expect(refused).rejects.toThrow('not stored')
  provider.play(refuses(400), says('Да'))
  const stop = new AbortController()
  const stopped = callModel(providers, call(), stop.signal, { onText, onFallback: () => stop.abort('stopped') })
  await expect(stopped).rejects.toBe('stopped')
  expect(provider.received.length - before).toBe(2)
})

test('the prompt is freed at the first text of the answer', async () => {
  const listener = await startListener()
  const before = usedBytes()
  const request = call({ messages: largePrompt() })
  const message = new WeakRef(request.messages[0] as LlmMessage)
  const stop = new AbortController()
  let end: Promise<unknown> = Promise.resolve()
  await new Promise<void>((spoke) => {
    const patient = createProviders([{ name: 'fake', baseUrl: listener.baseUrl, apiKey: null }])
    end = callModel(patient, request, stop.signal, { onText: () => spoke(), onFallback: () => {} })
  })
  expect(listener.received()).toBeGreaterThan(60 * MB)
  expect(request.messages).toEqual([])
  // The text weighs 30 MB, and so does its part of the body. Buffers are freed a moment after they are collected.
  await expect.poll(() => usedBytes() - before).toBeLessThan(15 * MB)
  expect(message.deref()).toBeUndefined()
  stop.abort('stopped')
  await expect(end).rejects.toBe('stopped')
  await listener.close()
})

const MB = 1024 * 1024

/** Some 30 MB of text, and an image that would be 40 MB as data. */
function largePrompt(): LlmMessage[] {
  const chunks = 30 * 16
  const read = async function* () {
    for (let i = 0; i < chunks; i += 1) yield Buffer.alloc(MB / 16, i)
  }
  const image = { mime: 'image/png', bytes: (chunks * MB) / 16, read }
  return [{ role: 'user', content: Buffer.alloc(30 * MB, 'ж').toString(), images: [image] }]
}

/** A provider that discards the request, begins to answer and does not end. */
async function startListener() {
  let received = 0
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => {
      received += bytes.length
    })
    request.on('end', () => response.writeHead(200).write(chunk('Начало')))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received: () => received,
    close: () =>
      new Promise((done) => {
        server.close(done)
        server.closeAllConnections()
      }),
  }
}
