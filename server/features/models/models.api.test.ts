import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { refuses, says, startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { costOfTokens } from './models.ts'
import { adjustModelsToSettings } from './start-models.ts'

const provider = await closeAfterTests(startFakeOpenAi())
const apiKey = 'the-secret-key'
const providers = createProviders([
  { name: 'fake', baseUrl: provider.baseUrl, apiKey, country: 'US' },
  { name: 'claude', kind: 'anthropic', baseUrl: 'https://claude.example.test', apiKey },
])
const app = await testApp({ deps: { providers } })
const owner = await app.signIn('owner@example.test')

const draft = { id: 'fast', name: 'Быстрая', provider: 'fake', providerModel: 'vendor/fast' }

test('the owner adds a model, changes it, hides it and deletes it (S1.29)', async () => {
  const made = await owner.call(modelsAdminApi.create, { body: { ...draft, inputRate: 0.5, costInput: 15 } })
  expect(made).toMatchObject({ ...draft, inputRate: 0.5, outputRate: 1, kind: 'text', hidden: false, costInput: 15 })
  const anna = await app.signIn()
  expect((await anna.call(modelsApi.list, {})).map(({ id }) => id)).toContain('fast')
  const hide = { params: { id: 'fast' }, body: { hidden: true, fallbackId: 'demo' } }
  expect(await owner.call(modelsAdminApi.update, hide)).toMatchObject({ hidden: true, fallbackId: 'demo' })
  expect((await anna.call(modelsApi.list, {})).map(({ id }) => id)).not.toContain('fast')
  expect((await owner.call(modelsApi.list, {})).map(({ id }) => id)).toContain('fast')
  await owner.call(modelsAdminApi.delete, { params: { id: 'fast' } })
  await expect(owner.call(modelsAdminApi.delete, { params: { id: 'fast' } })).rejects.toMatchObject({ status: 404 })
})

test('a user sees neither a model’s provider nor its cost', async () => {
  const anna = await app.signIn()
  const [model] = await anna.call(modelsApi.list, {})
  for (const secret of ['provider', 'providerModel', 'costInput', 'fallbackId'])
    expect(model).not.toHaveProperty(secret)
  expect((await owner.call(modelsApi.list, {}))[0]).toMatchObject({ provider: 'demo', providerModel: 'demo' })
})

test.each([
  [{ ...draft, id: 'Не номер' }, 'id'],
  [{ ...draft, provider: 'unknown' }, 'provider'],
  [{ ...draft, inputRate: -1 }, 'inputRate'],
  [{ ...draft, fallbackId: 'no-such' }, 'fallbackId'],
  [{ ...draft, fallbackId: 'fast' }, 'fallbackId'],
  [{ ...draft, apiKey: 'x' }, 'apiKey'],
  [{ ...draft, provider: 'claude', kind: 'image' }, 'kind'],
])('a draft that does not fit is refused by its field: %j', async (body, field) => {
  const response = await owner.post('/api/models', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ field })
  expect(await app.db.$count(models, eq(models.id, 'fast'))).toBe(0)
})

test('a model cannot move to a provider without its kind (S10.300)', async () => {
  await owner.call(modelsAdminApi.create, { body: { ...draft, id: 'brush', kind: 'image', imagePrice: 5 } })
  const move = (body: object) => owner.call(modelsAdminApi.update, { params: { id: 'brush' }, body })
  await expect(move({ provider: 'claude' })).rejects.toMatchObject({ status: 400, field: 'kind' })
  expect(await move({ provider: 'claude', kind: 'text' })).toMatchObject({ provider: 'claude', kind: 'text' })
  await expect(move({ kind: 'embedding' })).rejects.toMatchObject({ status: 400, field: 'kind' })
  await owner.call(modelsAdminApi.delete, { params: { id: 'brush' } })
})

test('two models cannot share an id', async () => {
  await expect(owner.call(modelsAdminApi.create, { body: { ...draft, id: 'demo' } })).rejects.toMatchObject({
    status: 409,
    field: 'id',
  })
})

test('a single call orders models, and outdated lists are refused (S1.29)', async () => {
  for (const id of ['one', 'two']) await owner.call(modelsAdminApi.create, { body: { ...draft, id } })
  const before = (await owner.call(modelsApi.list, {})).map(({ id }) => id)
  const ids = before.toReversed()
  expect((await owner.call(modelsAdminApi.reorder, { body: { ids } })).map(({ id }) => id)).toEqual(ids)
  expect((await owner.call(modelsApi.list, {})).map(({ id }) => id)).toEqual(ids)
  for (const id of ['one', 'two']) await owner.call(modelsAdminApi.delete, { params: { id } })
  await expect(owner.call(modelsAdminApi.reorder, { body: { ids } })).rejects.toMatchObject({ status: 409 })
})

test('each model has its provider’s country, for people and admins (S10.331)', async () => {
  await owner.call(modelsAdminApi.create, { body: { ...draft, id: 'far' } })
  for (const person of [await app.signIn(), owner]) {
    const found = await person.call(modelsApi.list, {})
    const countryOf = (wanted: string) => found.find(({ id }) => id === wanted)?.country
    expect([countryOf('demo'), countryOf('far')]).toEqual(['RU', 'US'])
  }
  await owner.call(modelsAdminApi.delete, { params: { id: 'far' } })
})

test('providers are listed without keys, new kinds apart (S10.796)', async () => {
  const response = await owner.fetch('/api/providers')
  const text = await response.text()
  expect(JSON.parse(text)).toEqual([
    {
      ...{ name: 'demo', baseUrl: null, kind: 'demo', newKind: null, country: 'RU' },
      ...{ modelKinds: ['text', 'image', 'transcription'], newModelKinds: [] },
    },
    {
      ...{ name: 'fake', baseUrl: provider.baseUrl, kind: 'openai', newKind: null, country: 'US' },
      ...{ modelKinds: ['text', 'image', 'transcription', 'embedding'], newModelKinds: ['scan'] },
    },
    {
      ...{ name: 'claude', baseUrl: 'https://claude.example.test', kind: 'anthropic', newKind: null, country: null },
      ...{ modelKinds: ['text'], newModelKinds: ['scan'] },
    },
  ])
  expect(text).not.toContain('the-secret-key')
  expect(await owner.call(modelsAdminApi.offer, { params: { name: 'fake' } })).toEqual([
    { id: 'vendor/fast', shutdownDate: null },
    { id: 'vendor/old', shutdownDate: '2027-01-14' },
  ])
  await expect(owner.call(modelsAdminApi.offer, { params: { name: 'unknown' } })).rejects.toMatchObject({ status: 404 })
})

test('a model is checked by a real question, failures are explained (S10.1494)', async () => {
  provider.play(says('Да', '.'))
  const check = { params: { name: 'fake' }, body: { providerModel: 'vendor/fast' } }
  expect(await owner.call(modelsAdminApi.check, check)).toEqual({ text: 'Да.', ms: expect.any(Number) })
  expect(provider.received.at(-1)?.model).toBe('vendor/fast')
  provider.play(refuses(401))
  await expect(owner.call(modelsAdminApi.check, check)).rejects.toMatchObject({
    status: 502,
    code: 'model_failed',
    message: 'Провайдер не принял ключ.',
  })
})

test('an OpenAI key alone gives the default model and hides the demo', async () => {
  const isHidden = async () => (await app.db.select().from(models).where(eq(models.id, 'demo')))[0]?.hidden
  const setup = { providers: ['openai'], defaultModel: 'gpt-4.1-mini', wantsDemo: false }
  await adjustModelsToSettings(app.db, { ...setup, providers: [] })
  expect(await isHidden()).toBe(false)
  await adjustModelsToSettings(app.db, { ...setup, providers: ['somewhere'] })
  expect(await isHidden()).toBe(false)
  await adjustModelsToSettings(app.db, setup)
  expect(await isHidden()).toBe(true)
  const [model] = await app.db.select().from(models).where(eq(models.id, 'gpt-4.1-mini'))
  expect(model).toMatchObject({ provider: 'openai', providerModel: 'gpt-4.1-mini', hidden: false })
  const listeners = await app.db.select().from(models).where(eq(models.kind, 'transcription'))
  expect(listeners.map(({ id, hidden }) => [id, hidden]).sort()).toEqual([
    ['demo-transcription', true],
    ['gpt-transcribe', false],
  ])
  await adjustModelsToSettings(app.db, { ...setup, wantsDemo: true })
  expect(await isHidden()).toBe(false)
})

test('input written to the provider’s cache costs a quarter more (S10.432)', () => {
  const model = { costInput: 4, costOutput: 20, costCached: 1, costCurrency: 'USD' }
  const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 500_000, cacheWriteTokens: 200_000 }
  const sizes = { input: 0, output: 0 }
  expect(costOfTokens(model, usage, sizes).cost).toBeCloseTo(4 - 0.5 * 3 + 0.2 * 4 * 0.25)
  expect(costOfTokens(model, { ...usage, cacheWriteTokens: 9e9 }, sizes).cost).toBeCloseTo(4 - 1.5 + 0.5)
  expect(costOfTokens({ ...model, costInput: null }, usage, sizes).cost).toBeNull()
})
