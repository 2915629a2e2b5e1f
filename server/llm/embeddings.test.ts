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
const embedder = () => openAiEmbed(connect({ baseUrl: `${provider.baseUrl}/`, apiKey: 'the-key' }), 'small', quick)
const embed = async (texts: string[], signal = new AbortController().signal) =>
  (await embedder().embed(texts, signal)).map((vector) => [...vector])
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
    encoding_format: 'base64',
    authorization: 'Bearer the-key',
  })
})

const base64 = (...vector: number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64')
const signal = new AbortController().signal
const read = (written: Uint8Array) => JSON.parse(Buffer.from(written).toString('utf8'))

test('vectors come as base64, and are written in both forms (S10.1228)', async () => {
  const data = [
    { index: 1, embedding: base64(-2, 4) },
    { index: 0, embedding: base64(0.25, 1) },
  ]
  provider.play(answers(data), answers(data), answers(data))
  expect(await embed(['один', 'два'])).toEqual([
    [0.25, 1],
    [-2, 4],
  ])
  const written = { input: ['один', 'два'], userId: 'u' }
  expect(read(await embedder().embedWritten({ ...written, form: 'base64' }, signal))).toEqual([
    { object: 'embedding', index: 0, embedding: base64(0.25, 1) },
    { object: 'embedding', index: 1, embedding: base64(-2, 4) },
  ])
  expect(read(await embedder().embedWritten({ ...written, form: 'float' }, signal))).toMatchObject([
    { embedding: [0.25, 1] },
    { embedding: [-2, 4] },
  ])
})

test('a large answer is read and written in a thread (S10.1228)', async () => {
  const vector = Array.from({ length: 1536 }, (_, n) => n / 1000)
  const texts = Array.from({ length: 40 }, () => 'текст')
  provider.play(answers(texts.map((_, index) => ({ index, embedding: vector }))))
  const patient = openAiEmbed(connect({ baseUrl: provider.baseUrl, apiKey: 'k' }), 'small')
  const written = read(await patient.embedWritten({ input: texts, form: 'float', userId: 'u' }, signal))
  expect(written).toHaveLength(40)
  expect(written[39]).toEqual({ object: 'embedding', index: 39, embedding: vector })
  provider.play(answers('x'.repeat(300_000)), answers('x'.repeat(300_000)))
  expect(await kindOf(patient.embed(texts, signal))).toBe('down')
})

test('a provider that takes no base64 is asked for numbers (S10.1228)', async () => {
  const complains: Script = (response) => {
    const error = { message: "Unsupported value for 'encoding_format'" }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  }
  provider.play(complains, answers([{ embedding: [1] }]))
  expect(await embed(['один'])).toEqual([[1]])
  expect(provider.received.at(-1)).toMatchObject({ encoding_format: 'float' })
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
  ['base64 of two lengths', [{ embedding: base64(1) }, { embedding: base64(1, 2) }]],
  ['endless numbers', [{ embedding: base64(Number.NaN) }, { embedding: base64(1) }]],
  ['half a number', [{ embedding: 'AAAA' }, { embedding: 'AAAA' }]],
  ['numbers and base64', [{ embedding: [1] }, { embedding: base64(1) }]],
  ['nothing in the list', [null, null]],
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
