import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { NEW_THREAD_TITLE, type ThreadChange, type ThreadWithMessages, threadsApi } from '#contract/threads.ts'
import { assistants, messages, models, settings, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'

const NOT_YOURS = { status: 404, message: 'У вас нет беседы с таким ID' }

let published: (TopicEvent & { userId: string })[] = []
const app = await testApp({ deps: { publish: (userId, event) => published.push({ userId, ...event }) } })
const anna = await app.signIn()
const boris = await app.signIn()
await app.db.insert(models).values([
  { id: 'plain', name: 'Обычная', provider: 'demo', providerModel: 'plain', position: 50 },
  { id: 'hidden', name: 'Скрытая', provider: 'demo', providerModel: 'hidden', hidden: true },
  { id: 'indexer', name: 'Указатель', provider: 'demo', providerModel: 'indexer', kind: 'embedding' },
])
await app.db.insert(assistants).values({ id: 'chef', userId: anna.user.id, name: 'Повар', avatar: '🍳' })
afterEach(() => {
  published = []
})

const connect = (id: string) => ({ connect: { id } })
const create = (body: object = {}) => anna.call(threadsApi.create, { body })
const read = (id: string, cursor?: string) =>
  anna.call(threadsApi.get, { params: { id }, query: cursor === undefined ? {} : { cursor } })
const update = (id: string, body: ThreadChange) => anna.call(threadsApi.update, { params: { id }, body })
const remove = (id: string, forever = false) =>
  anna.call(threadsApi.delete, { params: { id }, query: forever ? { forever: '1' } : {} })
const rowOf = async (id: string) => (await app.db.select().from(threads).where(eq(threads.id, id)))[0]
const changedEvents = (id: string, version: number, type = 'changed') => [
  { userId: anna.user.id, topic: 'threads', type, data: { id } },
  { userId: anna.user.id, topic: `thread:${id}`, type: 'changed', data: { version } },
]

const everything = (id: string, messageId: string) => [
  () => read(id),
  () => update(id, { title: 'Другая' }),
  () => remove(id),
  () => anna.call(threadsApi.rename, { params: { id } }),
  () => anna.call(threadsApi.fork, { params: { id }, body: { messageId } }),
  () => anna.call(threadsApi.editMessage, { params: { id, messageId }, body: { content: 'Нет' } }),
  () => anna.call(threadsApi.deleteMessage, { params: { id, messageId } }),
]

test('a new thread has the default title and its owner’s model (S4.6)', async () => {
  const thread = await create()
  expect(thread).toMatchObject({
    title: NEW_THREAD_TITLE,
    assistantId: null,
    User: { id: anna.user.id },
    currentLeafId: null,
    version: 0,
    pinned: false,
    Messages: [],
  })
  expect(await rowOf(thread.id)).toMatchObject({ titleSource: 'default' })
  expect(published).toEqual(changedEvents(thread.id, 0))
})

test('a title that a person writes in Markdown has no marks (S10.1493)', async () => {
  const { id } = await create({ title: '**Ужин** на `двоих`' })
  expect((await rowOf(id))?.title).toBe('Ужин на двоих')
  await update(id, { title: '## Обед' })
  expect((await rowOf(id))?.title).toBe('Обед')
})

test('a draft in the specification’s form is accepted', async () => {
  const body = { title: 'Ужин', assistantId: 'chef', User: connect(anna.user.id), Model: connect('plain') }
  const thread = await create(body)
  expect(thread).toMatchObject({ title: 'Ужин', assistantId: 'chef', Model: { id: 'plain', name: 'Обычная' } })
  expect(await rowOf(thread.id)).toMatchObject({ titleSource: 'user' })
})

test('a thread cannot be created for another user', async () => {
  await expect(create({ User: connect(boris.user.id) })).rejects.toMatchObject({ status: 403 })
})

test.each(['no-such', 'hidden', 'indexer'])('a thread cannot be begun with the model %s', async (id) => {
  await expect(create({ Model: connect(id) })).rejects.toMatchObject({ status: 404, message: 'Такой модели нет' })
})

test('without a model the draft uses the visible model of the settings', async () => {
  const choose = (threadModel: string) =>
    app.db.update(settings).set({ threadModel }).where(eq(settings.userId, anna.user.id))
  const { Model: first } = await create()
  await choose('plain')
  expect((await create()).Model?.id).toBe('plain')
  await choose('hidden')
  expect((await create()).Model).toEqual(first)
  expect(first?.id).not.toBe('plain')
})

test('creating the same thread again creates it once (S10.1402)', async () => {
  const id = newId()
  const made = await Promise.all(Array.from({ length: 8 }, () => create({ id, title: 'Одна' })))
  expect(new Set(made.map((thread) => thread.id))).toEqual(new Set([id]))
  expect((await app.db.select().from(threads).where(eq(threads.id, id))).length).toBe(1)
  expect(published).toHaveLength(2)
  await aBranch(app.db, { id, userId: anna.user.id }, 2)
  expect((await create({ id, title: 'Другая' })) as ThreadWithMessages).toMatchObject({
    title: 'Одна',
    Messages: [{}, {}],
  })
})

test('the id of another user’s or a deleted thread answers 409', async () => {
  const foreign = await aThread(app.db, boris.user.id)
  const trashed = await aThread(app.db, anna.user.id, { deletedAt: new Date() })
  for (const { id } of [foreign, trashed]) await expect(create({ id })).rejects.toMatchObject({ status: 409 })
  expect((await rowOf(foreign.id))?.userId).toBe(boris.user.id)
})

test('a thread comes with its end, and a cursor reads older pages', async () => {
  const thread = await aThread(app.db, anna.user.id)
  const ids = await aBranch(app.db, thread, 250)
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await anna.fetch(`/api/threads/${thread.id}${cursor && `?cursor=${cursor}`}`)
    const { Messages } = (await response.json()) as ThreadWithMessages
    pages.unshift(Messages.map(({ id }) => id))
    cursor = response.headers.get(NEXT_CURSOR)
  }
  expect(pages.map((page) => page.length)).toEqual([50, 100, 100])
  expect(pages.flat()).toEqual(ids)
})

test('a cursor outside the thread’s messages answers 400', async () => {
  const thread = await aThread(app.db, anna.user.id)
  const other = await aThread(app.db, anna.user.id)
  const foreign = await aMessage(app.db, await aThread(app.db, boris.user.id))
  const [elsewhere = ''] = await aBranch(app.db, other, 1)
  for (const cursor of ['no-such', elsewhere, foreign.id]) {
    await expect(read(thread.id, cursor)).rejects.toMatchObject({ status: 400, field: 'cursor' })
  }
})

test('every call on another user’s thread answers 404 (S2.79)', async () => {
  const { id } = await aThread(app.db, boris.user.id)
  const [messageId = ''] = await aBranch(app.db, { id, userId: boris.user.id }, 2)
  const restore = () => update(id, { deleted: false })
  const deleteForever = () => remove(id, true)
  for (const action of [...everything(id, messageId), restore, deleteForever]) {
    await expect(action()).rejects.toMatchObject(NOT_YOURS)
  }
  expect(await rowOf(id)).toMatchObject({ version: 0, title: NEW_THREAD_TITLE, deletedAt: null })
  expect(published).toEqual([])
})

test('each change is saved, raises the version and publishes an event', async () => {
  const thread = await aThread(app.db, anna.user.id, { updatedAt: new Date(Date.UTC(2026, 0, 1)) })
  const changes = [{ title: 'Моя' }, { pinned: true }, { archived: true }, { assistantId: 'chef' }] as const
  for (const [index, change] of changes.entries()) {
    expect(await update(thread.id, change)).toMatchObject({ ...change, version: index + 1 })
    expect(published.splice(0)).toEqual(changedEvents(thread.id, index + 1))
  }
  expect(await update(thread.id, { Model: connect('plain') })).toMatchObject({ Model: { id: 'plain' }, version: 5 })
  expect(await rowOf(thread.id)).toMatchObject({ titleSource: 'user', updatedAt: thread.updatedAt })
  await expect(update(thread.id, { Model: connect('hidden') })).rejects.toMatchObject({ status: 404 })
})

test('an empty change does nothing', async () => {
  const { id } = await create()
  published = []
  expect(await update(id, {})).toMatchObject({ version: 0 })
  expect(published).toEqual([])
})

test('a change made on an old version answers 409 and changes nothing (S10.116)', async () => {
  const { id } = await create({ title: 'Первая' })
  await update(id, { pinned: true, version: 0 })
  published = []
  await expect(update(id, { title: 'Вторая', version: 0 })).rejects.toMatchObject({
    status: 409,
    message: 'Чат изменился в другом окне. Обновите его и повторите.',
  })
  expect(await rowOf(id)).toMatchObject({ title: 'Первая', version: 1 })
  expect(published).toEqual([])
  expect(await update(id, { title: 'Вторая', version: 1 })).toMatchObject({ title: 'Вторая', version: 2 })
})

test('parallel changes of the same version are accepted once', async () => {
  const { id } = await create()
  const tried = await Promise.allSettled(['а', 'б', 'в', 'г'].map((title) => update(id, { title, version: 0 })))
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await rowOf(id))?.version).toBe(1)
})

test('choosing a version of this thread shows it to its newest end', async () => {
  const thread = await aThread(app.db, anna.user.id)
  const [root = ''] = await aBranch(app.db, thread, 2)
  const old = await aMessage(app.db, thread, { parentId: root, role: 'assistant', createdAt: new Date(1e12) })
  const below = await aMessage(app.db, thread, { parentId: old.id })
  expect(await update(thread.id, { currentLeafId: old.id })).toMatchObject({ currentLeafId: below.id })
  expect((await read(thread.id)).Messages.map(({ id }) => id)).toEqual([root, old.id, below.id])
  const other = await aThread(app.db, anna.user.id)
  const elsewhere = await aMessage(app.db, other)
  await expect(update(thread.id, { currentLeafId: elsewhere.id })).rejects.toMatchObject({ status: 404 })
  expect((await rowOf(thread.id))?.currentLeafId).toBe(below.id)
})

test('a deleted thread is only in the trash and is restored unchanged', async () => {
  const { id } = await create({ title: 'Нужная' })
  const [messageId = ''] = await aBranch(app.db, { id, userId: anna.user.id }, 2)
  published = []
  expect(await remove(id)).toMatchObject({ id, deletedAt: expect.any(String), version: 1 })
  expect(published).toEqual(changedEvents(id, 1, 'removed'))
  for (const action of everything(id, messageId)) await expect(action()).rejects.toMatchObject(NOT_YOURS)
  expect(await update(id, { deleted: false })).toMatchObject({ deletedAt: null, version: 2 })
  expect(await read(id)).toMatchObject({ title: 'Нужная', Messages: [{}, {}] })
})

test('forever deletes from the trash only, with everything in it', async () => {
  const { id } = await create()
  await aBranch(app.db, { id, userId: anna.user.id }, 4)
  await expect(remove(id, true)).rejects.toMatchObject({ status: 409 })
  await remove(id)
  published = []
  expect(await remove(id, true)).toMatchObject({ id })
  expect(published).toEqual(changedEvents(id, 1, 'removed'))
  expect(await rowOf(id)).toBeUndefined()
  expect(await app.db.select().from(messages).where(eq(messages.threadId, id))).toEqual([])
  await expect(remove(id, true)).rejects.toMatchObject(NOT_YOURS)
})

test('a thread without messages is deleted forever at once (S10.158)', async () => {
  const { id } = await create()
  expect(await remove(id, true)).toMatchObject({ id })
  expect(await rowOf(id)).toBeUndefined()
  expect(await create({ id })).toMatchObject({ id, Messages: [] })
  await aBranch(app.db, { id, userId: anna.user.id }, 2)
  await expect(remove(id, true)).rejects.toMatchObject({ status: 409 })
  expect(await rowOf(id)).toMatchObject({ deletedAt: null })
})

test('a thread with a running answer is not deleted forever', async () => {
  const thread = await aThread(app.db, anna.user.id, { deletedAt: new Date() })
  await aMessage(app.db, thread, { role: 'assistant', status: 'streaming' })
  await expect(remove(thread.id, true)).rejects.toMatchObject({ status: 409 })
  expect(await rowOf(thread.id)).toBeDefined()
})
