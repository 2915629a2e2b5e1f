import { Writable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { imagesApi } from '#contract/images.ts'
import { summariesApi } from '#contract/summaries.ts'
import { threadsApi } from '#contract/threads.ts'
import { translateApi } from '#contract/translate.ts'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { threads } from '#server/db/schema.ts'
import { registry } from '#server/http/metrics.ts'
import { fetchPage } from '#server/internet/fetch-page.ts'
import { openSearch } from '#server/internet/open-search.ts'
import { openLog } from '#server/lib/log.ts'
import { createProviders } from '#server/llm/providers.ts'
import { aMessage } from '#server/testing/builders.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { failures, MARK, startQuotingServer } from '#server/testing/quoting-server.ts'
import { startChat, type Talker } from './features/answers/testing/chat.ts'
import { addFileAndWait } from './features/assistants/testing/add-file.ts'
import { uploadAndTranscribe } from './features/transcriptions/testing/record.ts'

/** Every call that sends what people write to another service, while that service fails and quotes it. */

let written = ''
const log = openLog(
  'trace',
  new Writable({
    write: (chunk, _, done) => {
      written += chunk
      done()
    },
  }),
)

const service = await closeAfterTests(startQuotingServer())

const QUICK = { firstTokenMs: 400, silenceMs: 400, thinkingMs: 400 }
const names = ['openai', 'anthropic', 'gemini', 'gigachat', 'yandex'] as const
const providers = createProviders(
  names.map((kind) => ({
    ...{ name: kind, kind, baseUrl: service.url, apiKey: 'key', tokenUrl: `${service.url}/token?q=${MARK}` },
  })),
  { timeouts: QUICK },
)
const reach = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isPrivate: () => false,
  allowsPort: () => true,
}
const chat = await closeAfterTests(
  startChat({
    ...{ log, startSymbols: 10_000_000, deps: { providers } },
    web: {
      search: openSearch({ engine: 'brave', baseUrl: service.url, apiKey: 'k', folder: null, timeoutMs: 400 }),
      price: 10,
      fetchPage: (address, signal, request) => fetchPage(address, signal, request, { reach }),
    },
  }),
)

let anna: Talker
let longThread: string
let assistantId: string
beforeAll(async () => {
  for (const kind of names)
    await chat.addModel({ id: kind, provider: kind, providerModel: 'm', canUseWithAssistant: true })
  await chat.addModel({ id: 'brush', kind: 'image', provider: 'openai', imagePrice: 5 })
  await chat.addModel({ id: 'ear', kind: 'transcription', provider: 'openai', minutePrice: 5 })
  await chat.addModel({ id: 'vectors', kind: 'embedding', provider: 'openai', hidden: true })
  anna = await chat.person()
  longThread = await anna.newThread('openai')
  let parentId: string | null = null
  for (let i = 0; i < 12; i++) {
    const thread = { id: longThread, userId: anna.user.id }
    const role = i % 2 ? ('assistant' as const) : ('user' as const)
    const content = `${MARK} `.repeat(200)
    const createdAt = new Date(Date.now() - 1e6 + i * 1000)
    parentId = (await aMessage(chat.app.db, thread, { parentId, role, content, createdAt })).id
  }
  await chat.app.db.update(threads).set({ currentLeafId: parentId }).where(eq(threads.id, longThread))
  assistantId = (await anna.call(assistantsApi.create, { body: { name: MARK, modelId: 'openai' } })).id
})
afterAll(() => expect(written).toContain('answers: the model failed'))

const ask = async (modelId: string, more: object = {}) => {
  const reading = await anna.send(await anna.newThread(modelId), { content: `${MARK}?`, ...more })
  expect(reading.status).toBe(200)
  await reading.end()
}
const swallow = (work: Promise<unknown>) => work.catch(() => undefined)

const calls: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(names.map((name) => [`a question to ${name}`, () => ask(name)])),
  'a question to the demo model': () => ask('demo'),
  'a question with a search': () => ask('openai', { web: true }),
  'a question with a page': () =>
    ask('openai', { pages: [`${service.url}/${MARK}`], content: `${service.url}/${MARK}` }),
  'a summary': () => swallow(anna.call(summariesApi.make, { params: { id: longThread }, body: {} })),
  'a title': () => anna.call(threadsApi.rename, { params: { id: longThread } }),
  'one question without a chat': () =>
    swallow(anna.call(translateApi.translate, { body: { prompt: MARK, model: 'openai' } })),
  'a try-out of an assistant': async () => {
    const messages = [{ role: 'user', content: MARK }]
    const response = await anna.stream(assistantsApi.tryOut.path, {
      ...{ assistantId, instructions: MARK, modelId: 'openai', messages },
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('event: error')
  },
  'a file of an assistant': () => addFileAndWait(anna, assistantId, `${MARK}.txt`, `${MARK} `.repeat(400)),
  'an image': async () => {
    await anna.call(imagesApi.create, { body: { prompt: MARK, modelId: 'brush' } })
    await chat.app.imageQueue.idle()
  },
  'a recording': () =>
    uploadAndTranscribe(
      chat.app,
      anna,
      makeWav([{ seconds: 1, loud: 0.5 }], { rate: 2000 }),
      { modelId: 'ear' },
      `${MARK}.wav`,
    ),
}

/** The tests of the adapters cover every failure; here is what the features do with the error. */
const some = ['400 with a quote', 'an error in the stream', '200 with broken JSON'] as const

describe.each(some)('%s (S10.610)', (failure) => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    service.failBy(failures[failure] ?? (() => {}))
    await call()
    const figures = await registry.metrics()
    expect(written + figures).not.toContain(MARK)
  })
})
