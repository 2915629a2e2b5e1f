import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type AssistantDraft, assistantsApi, MAX_ASSISTANTS } from '#contract/assistants.ts'
import { modelsApi } from '#contract/models.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { threadsApi } from '#contract/threads.ts'
import { assistants, filePassages, files, models } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { readWhole } from '#server/storage/storage.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { addFileAndWait } from './testing/add-file.ts'

const published: (TopicEvent & { userId: string })[] = []
const app = await testApp({ deps: { publish: (userId, event) => published.push({ userId, ...event }) } })
const model = { name: 'Модель', provider: 'demo', providerModel: 'demo' }
await app.db.insert(models).values([
  { ...model, id: 'smart', name: 'Умная', canUseWithAssistant: true },
  { ...model, id: 'plain', canUseWithAssistant: false },
  { ...model, id: 'secret', canUseWithAssistant: true, hidden: true },
  { ...model, id: 'painter', canUseWithAssistant: true, kind: 'image' },
])

const create = (who: SignedIn, draft: Partial<AssistantDraft> = {}) =>
  who.call(assistantsApi.create, { body: { name: 'Знаток', ...draft } })
const get = (who: SignedIn, id: string) => who.call(assistantsApi.get, { params: { id } })
const list = (who: SignedIn) => who.call(assistantsApi.list, {})

test('an assistant has id, Model and files, and omitted fields have defaults', async () => {
  const anna = await app.signIn()
  const made = await create(anna, { modelId: 'smart', starters: ['О чём это?'], instructions: 'Кратко' })
  expect(made).toMatchObject({
    id: expect.any(String),
    name: 'Знаток',
    description: '',
    avatar: '🤖',
    modelId: 'smart',
    Model: { id: 'smart', name: 'Умная' },
    starters: ['О чём это?'],
    files: [],
    symbols: { instructions: 6, passages: 0 },
  })
  expect(await get(anna, made.id)).toEqual(made)
})

test('the list has the user’s own assistants, newest first', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  await create(boris, { name: 'Чужой' })
  const first = await create(anna, { name: 'Первый' })
  const second = await create(anna, { name: 'Второй' })
  expect((await list(anna)).map(({ id }) => id)).toEqual([second.id, first.id])
})

test('a change touches only what it names', async () => {
  const anna = await app.signIn()
  const { id } = await create(anna, { instructions: 'Как есть', starters: ['Раз'] })
  const changed = await anna.call(assistantsApi.update, { params: { id }, body: { name: 'Иначе', avatar: '👩‍🚀' } })
  expect(changed).toMatchObject({ name: 'Иначе', avatar: '👩‍🚀', instructions: 'Как есть', starters: ['Раз'] })
  expect(await get(anna, id)).toEqual(changed)
})

test('another user’s assistant is not found: read, change, delete, files', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const { id } = await create(anna)
  const { id: fileId } = await addFileAndWait(anna, id, 'a.txt', 'Текст')
  const own = { params: { id } }
  const file = { params: { id, fileId } }
  await expect(boris.call(assistantsApi.get, own)).rejects.toMatchObject({ status: 404 })
  await expect(boris.call(assistantsApi.update, { ...own, body: { name: 'Моё' } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(boris.call(assistantsApi.delete, own)).rejects.toMatchObject({ status: 404 })
  await expect(boris.call(assistantsApi.removeFile, file)).rejects.toMatchObject({ status: 404 })
  await expect(boris.call(assistantsApi.retryFile, file)).rejects.toMatchObject({ status: 404 })
  await expect(addFileAndWait(boris, id, 'b.txt', 'Текст')).rejects.toThrow('404')
  const [passage] = await app.db
    .select({ id: filePassages.id })
    .from(filePassages)
    .where(eq(filePassages.fileId, fileId))
  await expect(boris.call(assistantsApi.passage, { params: { passageId: passage?.id ?? '' } })).rejects.toMatchObject({
    status: 404,
  })
  expect(await get(anna, id)).toMatchObject({ name: 'Знаток', files: [{ id: fileId }] })
})

describe('the model of an assistant', () => {
  test('can be any visible text model that is allowed for assistants (S5.29)', async () => {
    const anna = await app.signIn()
    await expect(create(anna, { modelId: 'smart' })).resolves.toMatchObject({ modelId: 'smart' })
    await expect(create(anna, { modelId: null })).resolves.toMatchObject({ modelId: null, Model: null })
  })

  test.each([
    ['secret', 404, 'Такой модели нет'],
    ['no-such', 404, 'Такой модели нет'],
    ['plain', 400, 'не работает с инструкциями и файлами'],
    ['painter', 400, 'не работает с инструкциями и файлами'],
  ])('%s is rejected with %i, at creation and at change', async (modelId, status, words) => {
    const anna = await app.signIn()
    const rejection = { status, message: expect.stringContaining(words) }
    await expect(create(anna, { modelId })).rejects.toMatchObject(rejection)
    const { id } = await create(anna)
    await expect(anna.call(assistantsApi.update, { params: { id }, body: { modelId } })).rejects.toMatchObject(
      rejection,
    )
  })

  test('that was hidden later is null, and other fields stay editable', async () => {
    const anna = await app.signIn()
    await app.db.insert(models).values({
      id: 'fading',
      name: 'Уходящая',
      provider: 'demo',
      providerModel: 'demo',
      canUseWithAssistant: true,
    })
    const { id } = await create(anna, { modelId: 'fading' })
    await app.db.update(models).set({ hidden: true }).where(eq(models.id, 'fading'))
    const body = { name: 'Новый', modelId: 'fading' }
    const changed = await anna.call(assistantsApi.update, { params: { id }, body })
    expect(changed).toMatchObject({ name: 'Новый', modelId: 'fading', Model: null })
  })

  test('is offered from the visible models only (S5.29)', async () => {
    const anna = await app.signIn()
    const offered = await anna.call(modelsApi.list, {})
    expect(offered.map(({ id }) => id)).toContain('smart')
    expect(offered.map(({ id }) => id)).not.toContain('secret')
    expect(offered.find(({ id }) => id === 'plain')).toMatchObject({ canUseWithAssistant: false })
  })
})

test.each([
  ['name', { name: '  ' }],
  ['name', { name: 'а'.repeat(81) }],
  ['avatar', { name: 'Знаток', avatar: 'привет' }],
  ['avatar', { name: 'Знаток', avatar: 'https://example.test/a.png' }],
  ['starters.0', { name: 'Знаток', starters: [' '] }],
  ['instructions', { name: 'Знаток', instructions: 'а'.repeat(20_001) }],
  ['owner', { name: 'Знаток', owner: 'me' }],
])('a wrong %s is named', async (field, body) => {
  const anna = await app.signIn()
  const response = await anna.post(assistantsApi.create.path, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ field })
})

test('the fifty-first assistant is rejected, also among parallel requests', async () => {
  const anna = await app.signIn()
  await app.db.insert(assistants).values(
    Array.from({ length: MAX_ASSISTANTS - 2 }, () => ({
      id: newId(),
      userId: anna.user.id,
      name: 'Знаток',
      avatar: '🤖',
    })),
  )
  const made = await Promise.allSettled(Array.from({ length: 6 }, () => create(anna)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await list(anna)).toHaveLength(MAX_ASSISTANTS)
  await expect(create(anna)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('50') })
})

test('every change is published to the owner’s pages', async () => {
  const anna = await app.signIn()
  const { id } = await create(anna)
  await anna.call(assistantsApi.update, { params: { id }, body: { name: 'Иначе' } })
  await anna.call(assistantsApi.delete, { params: { id } })
  const event = { userId: anna.user.id, topic: 'assistants', data: { id } }
  expect(published.filter(({ userId }) => userId === anna.user.id)).toEqual([
    { ...event, type: 'changed' },
    { ...event, type: 'changed' },
    { ...event, type: 'removed' },
  ])
})

test('deleting an assistant deletes its files and passages, but not threads', async () => {
  const anna = await app.signIn()
  const { id } = await create(anna)
  await addFileAndWait(anna, id, 'договор.txt', 'Аренда стоит сто рублей.')
  const [file] = await app.db.select().from(files).where(eq(files.libraryId, id))
  const { id: threadId } = await anna.call(threadsApi.create, { body: { assistantId: id } })
  expect(await anna.call(assistantsApi.delete, { params: { id } })).toEqual({ id })
  await expect(get(anna, id)).rejects.toMatchObject({ status: 404 })
  expect(await app.db.$count(files, eq(files.libraryId, id))).toBe(0)
  expect(await app.db.$count(filePassages, eq(filePassages.libraryId, id))).toBe(0)
  expect(await readWhole(app.files.storage, file?.storageKey ?? '')).toBeNull()
  const thread = await anna.call(threadsApi.get, { params: { id: threadId }, query: {} })
  expect(thread).toMatchObject({ id: threadId, assistantId: id, Assistant: null })
})

describe('a thread with an assistant', () => {
  test('shows the assistant and starts with its model', async () => {
    const anna = await app.signIn()
    const { id } = await create(anna, { modelId: 'smart', starters: ['Раз'], instructions: 'Кратко' })
    const thread = await anna.call(threadsApi.create, { body: { assistantId: id } })
    const shown = { id, name: 'Знаток', avatar: '🤖', starters: ['Раз'], symbols: { instructions: 6, passages: 0 } }
    expect(thread).toMatchObject({ assistantId: id, Assistant: shown, Model: { id: 'smart' } })
  })

  test('can be started with another model', async () => {
    const anna = await app.signIn()
    const { id } = await create(anna, { modelId: 'smart' })
    const body = { assistantId: id, Model: { connect: { id: 'plain' } } }
    expect(await anna.call(threadsApi.create, { body })).toMatchObject({ Model: { id: 'plain' } })
  })

  test('cannot have another user’s assistant', async () => {
    const anna = await app.signIn()
    const boris = await app.signIn()
    const { id } = await create(anna)
    const rejection = { status: 404, message: 'Такого ассистента нет' }
    await expect(boris.call(threadsApi.create, { body: { assistantId: id } })).rejects.toMatchObject(rejection)
    await expect(boris.call(threadsApi.create, { body: { assistantId: 'no-such' } })).rejects.toMatchObject(rejection)
    const { id: threadId } = await boris.call(threadsApi.create, { body: {} })
    const change = { params: { id: threadId }, body: { assistantId: id } }
    await expect(boris.call(threadsApi.update, change)).rejects.toMatchObject(rejection)
  })
})
