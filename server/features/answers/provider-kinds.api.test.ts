import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { readConfig } from '#server/config.ts'
import { ledger } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { startFakeAnthropic } from '#server/llm/testing/fake-anthropic.ts'
import { startFakeGemini } from '#server/llm/testing/fake-gemini.ts'
import { startFakeGigaChat, startFakeYandex, TEST_ROOT } from '#server/llm/testing/fake-russian.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { startChat } from './testing/chat.ts'

const anthropic = await closeAfterTests(startFakeAnthropic())
const gemini = await closeAfterTests(startFakeGemini())
const gigachat = await closeAfterTests(startFakeGigaChat({ isSecure: true }))
const yandex = await closeAfterTests(startFakeYandex())

/** The settings of an owner, with the addresses of the fakes. */
const { modelProviders } = readConfig({
  PROVIDER_CLAUDE_KIND: 'anthropic',
  PROVIDER_CLAUDE_API_KEY: anthropic.keys.apiKey,
  PROVIDER_CLAUDE_BASE_URL: anthropic.keys.baseUrl,
  PROVIDER_GEMINI_KIND: 'gemini',
  PROVIDER_GEMINI_API_KEY: gemini.keys.apiKey,
  PROVIDER_GEMINI_BASE_URL: gemini.keys.baseUrl,
  PROVIDER_GIGACHAT_KIND: 'gigachat',
  PROVIDER_GIGACHAT_API_KEY: gigachat.keys.apiKey,
  PROVIDER_GIGACHAT_BASE_URL: gigachat.keys.baseUrl,
  PROVIDER_GIGACHAT_TOKEN_URL: gigachat.keys.tokenUrl,
  PROVIDER_GIGACHAT_CA: TEST_ROOT,
  PROVIDER_YANDEX_KIND: 'yandex',
  PROVIDER_YANDEX_API_KEY: yandex.keys.apiKey,
  PROVIDER_YANDEX_BASE_URL: yandex.keys.baseUrl,
  PROVIDER_YANDEX_PROJECT: yandex.keys.project,
})
const chat = await closeAfterTests(startChat({ deps: { providers: createProviders(modelProviders) } }))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

describe.each([
  ['claude', 'claude-sonnet-9', ['claude-haiku-9', 'claude-sonnet-9']],
  ['gemini', 'gemini-9-flash', ['gemini-9-flash', 'gemini-9-pro']],
  ['gigachat', 'GigaChat-2-Max', ['GigaChat-2', 'GigaChat-2-Max']],
  ['yandex', yandex.model, [yandex.model]],
])('a model of %s', (provider, providerModel, offered) => {
  test('answers and is charged for (S10.290)', async () => {
    await chat.addModel({ id: provider, provider, providerModel })
    const anna = await chat.person()
    const thread = await anna.newThread(provider)
    const reading = await anna.send(thread, { content: 'Скажи' })
    expect(await reading.message()).toMatchObject({ content: 'Привет', status: 'complete', charged: 11 })
    const entries = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, thread))
    expect(entries).toMatchObject([{ symbols: -11, input: 5, output: 6 }])
  })

  test('is in its provider’s list and is checked by the owner (S10.299)', async () => {
    const owner = await chat.app.signIn('owner@example.test')
    const params = { name: provider }
    const list = await owner.call(modelsAdminApi.offer, { params })
    expect(list.map(({ id }) => id)).toEqual(offered)
    const checked = await owner.call(modelsAdminApi.check, { params, body: { providerModel } })
    expect(checked.text).toBe('Привет')
  })
})
