import { type ApiKeyDraft, apiKeysApi } from '#contract/api-keys.ts'
import { models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { startFakeAnthropic } from '#server/llm/testing/fake-anthropic.ts'
import { startFakeGemini } from '#server/llm/testing/fake-gemini.ts'
import { chunk, type Script, startFakeOpenAi, streams, usageChunk } from '#server/llm/testing/fake-openai.ts'
import { startFakeGigaChat, startFakeYandex } from '#server/llm/testing/fake-russian.ts'
import { startFakeTranscriber } from '#server/llm/testing/fake-transcriber.ts'
import { type SignedIn, startTestApp, type TestAppOptions } from '#server/testing/app.ts'
import { listen } from '#server/testing/port.ts'

const rates = { inputRate: 1, outputRate: 2 }

/** The server on a port, with a provider of every kind and a model of each. */
export async function startPrograms(options: TestAppOptions = {}) {
  const [provider, anthropic, gemini, gigachat, yandex, transcriber] = await Promise.all([
    startFakeOpenAi(),
    startFakeAnthropic(),
    startFakeGemini(),
    startFakeGigaChat(),
    startFakeYandex(),
    startFakeTranscriber(),
  ])
  const providers = createProviders([
    { name: 'fake', baseUrl: provider.baseUrl, apiKey: 'k', country: 'US' },
    { name: 'claude', kind: 'anthropic', ...anthropic.keys },
    { name: 'google', kind: 'gemini', ...gemini.keys },
    { name: 'giga', ...gigachat.keys },
    { name: 'yandex', ...yandex.keys },
    { name: 'speech', baseUrl: transcriber.baseUrl, apiKey: 'k' },
  ])
  const app = await startTestApp({ startSymbols: 100_000, ...options, deps: { providers, ...options.deps } })
  await app.db
    .insert(models)
    .values([
      { id: 'fast', name: 'Быстрая', provider: 'fake', providerModel: 'vendor/fast', ...rates, vision: true },
      {
        id: 'thinker',
        name: 'Думающая',
        provider: 'fake',
        providerModel: 'vendor/think',
        ...rates,
        thinks: true,
        thoughtRate: 1,
      },
      { id: 'short', name: 'Короткая', provider: 'fake', providerModel: 'vendor/short', contextSymbols: 1000 },
      { id: 'claude', name: 'Клод', provider: 'claude', providerModel: 'claude-sonnet-9', ...rates },
      { id: 'gemini', name: 'Джемини', provider: 'google', providerModel: 'gemini-9-pro', ...rates },
      { id: 'giga', name: 'Гига', provider: 'giga', providerModel: 'GigaChat-2', ...rates },
      { id: 'yandex', name: 'Яндекс', provider: 'yandex', providerModel: yandex.model, ...rates },
      {
        id: 'vectors',
        name: 'Векторы',
        kind: 'embedding',
        provider: 'fake',
        providerModel: 'vendor/embed',
        inputRate: 0.5,
      },
      { id: 'brush', name: 'Кисть', kind: 'image', provider: 'fake', providerModel: 'gpt-image-1', imagePrice: 500 },
      {
        id: 'ear',
        name: 'Слух',
        kind: 'transcription',
        provider: 'speech',
        providerModel: 'whisper-1',
        minutePrice: 60,
      },
      { id: 'secret', name: 'Скрытая', provider: 'fake', providerModel: 'vendor/hidden', hidden: true },
    ])
    .onConflictDoNothing()
  const { port, close } = await listen(app)
  const baseURL = `http://127.0.0.1:${port}/v1`

  return {
    ...{ app, db: app.db, provider, anthropic, gemini, gigachat, yandex, transcriber, baseURL },
    /** A user with a key. */
    makeKey: async (draft: Partial<ApiKeyDraft> = {}, person?: SignedIn) => {
      const owner = person ?? (await app.signIn())
      const { key, secret } = await owner.call(apiKeysApi.create, { body: { name: 'тест', ...draft } })
      return { owner, userId: owner.user.id, key, secret }
    },
    /** A request without a client library. */
    ask: (secret: string | null, path: string, body?: unknown, init: RequestInit = {}) =>
      fetch(`${baseURL}${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        ...init,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    close: async () => {
      await close()
      await app.close()
      await Promise.all([provider, anthropic, gemini, gigachat, yandex, transcriber].map((fake) => fake.close()))
    },
  }
}

/** A model that asks for the weather in Omsk. */
export const callsTool = (id = 'call_1'): Script => {
  const delta = (fields: object) =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, ...fields }] } }] })}\n\n`
  return streams(
    delta({ id, type: 'function', function: { name: 'weather', arguments: '' } }),
    delta({ function: { arguments: '{"city":' } }),
    delta({ function: { arguments: '"Омск"}' } }),
    chunk(null, 'tool_calls'),
    usageChunk(9, 4),
  )
}
export const vectors =
  (...list: number[][]): Script =>
  (response) => {
    const data = list.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
  }
