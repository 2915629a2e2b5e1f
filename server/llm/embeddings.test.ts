import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from './connection.ts'
import { openAiEmbed } from './embeddings.ts'
import { LlmError } from './errors.ts'
import { createProviders } from './providers.ts'
import { type FakeOpenAi, hangs, refuses, type Script, startFakeOpenAi } from './testing/fake-openai.ts'

let provider: FakeOpenAi
beforeAll(async () => {
  provider = await startFakeOpenAi()
})
afterAll(() => provider.close())

const quick = { timeoutMs: 300, retryMs: 1 }
const embed = (texts: string[], signal = new AbortController().signal) =>
  openAiEmbed(connect({ baseUrl: `${provider.baseUrl}/`, apiKey: 'the-key' }), 'small', quick)(texts, signal)
const answers =
  (data: unknown): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  }
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof LlmError ? error.kind : error),
  )

test('vectors come in the order of the texts, whatever the provider’s order', async () => {
  provider.play(
    answers([
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ]),
  )
  expect(await embed(['один', 'два'])).toEqual([
    [1, 0],
    [0, 1],
  ])
  expect(provider.received.at(-1)).toMatchObject({
    model: 'small',
    input: ['один', 'два'],
    encoding_format: 'float',
    authorization: 'Bearer the-key',
  })
})

test('an empty list of texts is not sent', async () => {
  const before = provider.received.length
  expect(await embed([])).toEqual([])
  expect(provider.received.length).toBe(before)
})

test.each([
  ['too few vectors', [{ index: 0, embedding: [1, 0] }]],
  ['vectors of two lengths', [{ embedding: [1, 0] }, { embedding: [1] }]],
  ['empty vectors', [{ embedding: [] }, { embedding: [] }]],
  ['no numbers', [{ embedding: ['a'] }, { embedding: ['b'] }]],
  ['no list', 'nothing'],
])('%s are not an answer', async (_, data) => {
  provider.play(answers(data))
  expect(await kindOf(embed(['один', 'два']))).toBe('down')
})

test('a temporary error is retried once, a rejection is not', async () => {
  provider.play(refuses(503), answers([{ embedding: [1] }]))
  expect(await embed(['один'])).toEqual([[1]])
  for (const [status, kind] of [
    [401, 'key'],
    [402, 'credit'],
    [400, 'refused'],
  ] as const) {
    provider.play(refuses(status), answers([{ embedding: [1] }]))
    expect(await kindOf(embed(['один']))).toBe(kind)
  }
})

test('silence is a timeout, an abort is not', async () => {
  provider.play(hangs())
  expect(await kindOf(embed(['один']))).toBe('timeout')
  const stop = new AbortController()
  const work = kindOf(embed(['один'], stop.signal))
  stop.abort('enough')
  expect(await work).toBe('enough')
})

test('the demo and strangers have no vectors, a configured provider has', () => {
  const providers = createProviders([{ name: 'own', baseUrl: provider.baseUrl, apiKey: null }])
  expect(providers.embed('demo', 'demo')).toBeNull()
  expect(providers.embed('other', 'small')).toBeNull()
  expect(providers.embed('own', 'small')).toBeTypeOf('function')
})
