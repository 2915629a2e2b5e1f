import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from './connection.ts'
import { openAiEmbed } from './embeddings.ts'
import type { Llm } from './llm.ts'
import { readOffer } from './offer.ts'
import { openAiLlm } from './openai.ts'
import { openAiDraw } from './openai-images.ts'
import type { ProviderKeys } from './profile.ts'
import { createSberTokens } from './sber-tokens.ts'
import { ask as askLlm } from './testing/ask.ts'
import { says } from './testing/fake-openai.ts'
import { type FakeProvider, startFakeProvider } from './testing/fake-provider.ts'
import { type FakeGigaChat, startFakeGigaChat, startFakeYandex, TEST_ROOT } from './testing/fake-russian.ts'

const forever = new AbortController().signal
const messages = [{ role: 'user' as const, content: 'Как дела?' }]

async function ask(llm: Llm, model = 'm') {
  const { text, error } = await askLlm(llm, { model, maxTokens: 9 })
  return { text, error: error?.kind ?? null }
}

describe('a key is sent as its provider wants it, in every call (S10.291)', () => {
  let gateway: FakeProvider
  beforeAll(async () => {
    const list = {
      data: [
        { id: 'b', title: 'Б', cost_context: '0.1' },
        { title: 'no id' },
        { id: 'a', expiration_date: '2027-01-14' },
      ],
    }
    gateway = await startFakeProvider({
      complaint: () => null,
      answer: ({ method }) => (method === 'GET' ? list : undefined),
      script: says('Привет'),
    })
  })
  afterAll(() => gateway.close())

  const sign = async (keys: Partial<ProviderKeys>) => {
    const connection = connect({ baseUrl: `${gateway.origin}/v1/`, apiKey: 'the-key', ...keys })
    gateway.play(says('Привет'))
    await ask(openAiLlm(connection))
    await openAiDraw(connection)({ model: 'm', prompt: '', size: '1024x1024', seed: '' }, forever).catch(() => null)
    await openAiEmbed(connection, 'm', { timeoutMs: 5000, retryMs: 1 })
      .embed(['текст'], forever)
      .catch(() => null)
    const all = gateway.received.map(({ headers }) => headers)
    expect(all.length).toBeGreaterThanOrEqual(3)
    return [...new Set(all.map(({ authorization }) => authorization))]
  }

  test.each([
    [{}, 'Bearer the-key'],
    [{ auth: 'bearer' as const }, 'Bearer the-key'],
    [{ auth: 'api-key' as const }, 'Api-Key the-key'],
    [{ auth: 'raw' as const }, 'the-key'],
    [{ apiKey: null }, undefined],
  ])('%j', async (keys, authorization) => {
    expect(await sign(keys)).toEqual([authorization])
  })

  test('the owner’s headers go with every request (S10.291)', async () => {
    await sign({ headers: { 'x-title': 'Symbol' } })
    expect(gateway.received.every(({ headers }) => headers['x-title'] === 'Symbol')).toBe(true)
  })

  test('a gateway with a bare key lists its models (S10.299)', async () => {
    const connection = connect({ baseUrl: `${gateway.origin}/v1`, apiKey: 'the-key', auth: 'raw' })
    expect(await readOffer(connection, 'openai')).toEqual([
      { id: 'a', shutdownDate: '2027-01-14' },
      { id: 'b', shutdownDate: null },
    ])
  })
})

test('Yandex gets its folder, key form and limit name (S10.290)', async () => {
  const yandex = await startFakeYandex()
  const connection = connect(yandex.keys)
  expect(await ask(openAiLlm(connection), yandex.model)).toEqual({ text: 'Привет', error: null })
  expect(yandex.received[0]?.body).toMatchObject({ model: yandex.model, max_tokens: 9 })
  expect(await readOffer(connection, 'yandex')).toEqual([{ id: yandex.model, shutdownDate: null }])
  expect(await ask(openAiLlm(connect({ ...yandex.keys, apiKey: 'other' })))).toMatchObject({ error: 'key' })
  await yandex.close()
})

describe('GigaChat', () => {
  let giga: FakeGigaChat
  let llm: Llm
  let connection: ReturnType<typeof connect>
  beforeAll(async () => {
    giga = await startFakeGigaChat()
  })
  afterAll(() => giga.close())
  beforeEach(() => {
    giga.tokens.live(30 * 60_000)
    giga.tokens.fail(null)
    connection = connect(giga.keys)
    llm = openAiLlm(connection)
  })
  const given = async (work: () => Promise<unknown>) => {
    const before = giga.tokens.given()
    await work()
    return giga.tokens.given() - before
  }

  test('a single token serves many requests, even when all wait for it (S10.293)', async () => {
    const work = async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask(llm)))
      expect(answers).toEqual(Array.from({ length: 5 }, () => ({ text: 'Привет', error: null })))
      expect(await readOffer(connection, 'gigachat')).toHaveLength(2)
    }
    expect(await given(work)).toBe(1)
  })

  test('gets the old name of the limit and no request for counts', async () => {
    await ask(llm)
    expect(giga.received.at(-1)?.body).toMatchObject({ max_tokens: 9, stream: true })
    expect(giga.received.at(-1)?.body).not.toHaveProperty('stream_options')
  })

  test('a token that ended midway is renewed once, and the request repeated (S10.293)', async () => {
    await ask(llm)
    giga.tokens.revoke()
    expect(await given(async () => expect(await ask(llm)).toEqual({ text: 'Привет', error: null }))).toBe(1)
    expect(await given(() => ask(llm))).toBe(0)
  })

  test('a token is renewed before its end (S10.293)', async () => {
    giga.tokens.live(30_000)
    let now = Date.now()
    const url = new URL(giga.keys.tokenUrl)
    const access = { url, key: giga.keys.apiKey, scope: 'GIGACHAT_API_PERS', agent: undefined }
    const tokens = createSberTokens(access, () => now)
    const first = await tokens.get(forever)
    expect(await tokens.get(forever)).toBe(first)
    now += 11_000
    expect(await tokens.get(forever)).not.toBe(first)
  })

  test('a token rejected at once is not requested repeatedly', async () => {
    const lost = openAiLlm(connect({ ...giga.keys, baseUrl: `${giga.keys.baseUrl}/` }))
    giga.tokens.live(-1)
    expect(await given(async () => expect(await ask(lost)).toMatchObject({ error: 'key' }))).toBe(2)
  })

  test.each([
    [[401, { code: 6, message: 'credentials' }], 'key'],
    [[400, { code: 7, message: 'scope' }], 'key'],
    [[429, { code: 5 }], 'busy'],
    [[500, {}], 'down'],
  ] as const)('no token because of %j is the error «%s»', async ([status, body], kind) => {
    giga.tokens.fail([status, body])
    expect(await ask(llm)).toMatchObject({ error: kind })
    giga.tokens.fail(null)
    expect(await ask(llm)).toMatchObject({ error: null })
  })

  test('a reader that leaves does not take the token from the others', async () => {
    const abort = new AbortController()
    const left = llm({ model: 'm', messages }, abort.signal, () => {}).catch((error: unknown) => error)
    const stayed = ask(llm)
    abort.abort()
    expect(await left).toMatchObject({ name: 'AbortError' })
    expect(await stayed).toEqual({ text: 'Привет', error: null })
  })

  test('an image is refused in words, because messages cannot contain images', async () => {
    const image = { mime: 'image/png', bytes: 1, read: async function* () {} }
    const answering = llm({ model: 'm', messages: [{ role: 'user', content: '', images: [image] }] }, forever, () => {})
    await expect(answering).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('картинки') })
  })

  test('a black-listed answer ends as a content filter', async () => {
    giga.play((response) => {
      const body = { choices: [{ delta: { content: 'Не буду' }, finish_reason: 'blacklist' }] }
      response.writeHead(200).end(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`)
    })
    expect(await llm({ model: 'm', messages }, forever, () => {})).toMatchObject({ reason: 'content_filter' })
  })
})

describe('a root certificate of a provider', () => {
  let secure: FakeGigaChat
  beforeAll(async () => {
    secure = await startFakeGigaChat({ isSecure: true })
  })
  afterAll(() => secure.close())

  test('is trusted for its token and answers, and by no other provider (S10.292)', async () => {
    const trusting = openAiLlm(connect({ ...secure.keys, ca: readFileSync(TEST_ROOT, 'utf8') }))
    expect(await ask(trusting)).toEqual({ text: 'Привет', error: null })
    expect(await ask(openAiLlm(connect(secure.keys)))).toEqual({ text: '', error: 'down' })
  })
})
