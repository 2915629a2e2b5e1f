import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { TopicEvent } from '#contract/realtime.ts'
import { type Message, type Thread, threadsApi } from '#contract/threads.ts'
import { files, messageFiles, messages, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'
import { branchUp } from './message-rows.ts'

let published: TopicEvent[] = []
const app = await testApp({ deps: { publish: (_, event) => published.push(event) } })
const anna = await app.signIn()

const fork = (id: string, messageId: string) => anna.call(threadsApi.fork, { params: { id }, body: { messageId } })
const messagesOf = async ({ id }: Thread): Promise<Message[]> =>
  (await anna.call(threadsApi.get, { params: { id }, query: {} })).Messages

test('a fork is a new thread with the branch until the message', async () => {
  const origin = await aThread(app.db, anna.user.id, {
    title: 'Ужин',
    titleSource: 'user',
    pinned: true,
    shareId: 's',
  })
  const ids = await aBranch(app.db, origin, 6)
  await aMessage(app.db, origin, { parentId: ids[1] ?? '', content: 'другая ветка' })
  published = []
  const copy = await fork(origin.id, ids[3] ?? '')
  expect(copy).toMatchObject({ title: 'Ужин (копия)', pinned: false, shareId: null, version: 0 })
  const copies = await messagesOf(copy)
  expect(copies.map(({ content }) => content)).toEqual(['Вопрос 1', 'Ответ 2', 'Вопрос 3', 'Ответ 4'])
  expect(copies.map(({ parentId }) => parentId)).toEqual([null, ...copies.slice(0, -1).map(({ id }) => id)])
  expect(copies.every(({ id }) => !ids.includes(id))).toBe(true)
  expect(copy.currentLeafId).toBe(copies.at(-1)?.id)
  expect(published).toEqual([
    { topic: 'threads', type: 'changed', data: { id: copy.id } },
    { topic: `thread:${copy.id}`, type: 'changed', data: { version: 0 } },
  ])
  expect(await branchUp(app.db, anna.user.id, ids[5] ?? '', 100)).toHaveLength(6)
})

test('the title says that a chat is a copy, and which one (S10.1493)', async () => {
  const origin = await aThread(app.db, anna.user.id, { title: 'Ужин' })
  const [first = ''] = await aBranch(app.db, origin, 2)
  const copy = await fork(origin.id, first)
  const again = await fork(copy.id, copy.currentLeafId ?? '')
  const third = await fork(again.id, again.currentLeafId ?? '')
  expect([copy, again, third].map(({ title }) => title)).toEqual(['Ужин (копия)', 'Ужин (копия 2)', 'Ужин (копия 3)'])
  const long = await aThread(app.db, anna.user.id, { title: 'я'.repeat(200) })
  const [question = ''] = await aBranch(app.db, long, 2)
  const { title } = await fork(long.id, question)
  expect(title).toHaveLength(200)
  expect(title).toMatch(/… \(копия\)$/)
})

test('copies have the original model, time and status, without cost', async () => {
  const origin = await aThread(app.db, anna.user.id)
  const [question = ''] = await aBranch(app.db, origin, 1)
  const answer = await aMessage(app.db, origin, {
    parentId: question,
    role: 'assistant',
    status: 'stopped',
    modelId: 'demo',
    input: 10,
    output: 20,
    charged: 30,
    cachedTokens: 3,
    createdAt: new Date(Date.UTC(2026, 0, 1)),
  })
  const { currentLeafId } = await fork(origin.id, answer.id)
  const [copy] = await branchUp(app.db, anna.user.id, currentLeafId ?? '', 1)
  expect(copy).toMatchObject({ role: 'assistant', status: 'stopped', modelId: 'demo', createdAt: answer.createdAt })
  expect(copy).toMatchObject({ input: 0, output: 0, charged: 0, cachedTokens: null, parts: null })
})

test('files are copied', async () => {
  const origin = await aThread(app.db, anna.user.id)
  const [question = ''] = await aBranch(app.db, origin, 1)
  const file = {
    userId: anna.user.id,
    kind: 'image',
    mime: 'image/png',
    bytes: 1,
    storageKey: 'k',
    state: 'ready',
  } as const
  const made = [newId(), newId()].map((id, index) => ({ ...file, id, name: `${index}.png` }))
  await app.db.insert(files).values(made)
  await app.db
    .insert(messageFiles)
    .values(made.map(({ id }, position) => ({ messageId: question, fileId: id, position })))
  const [copy] = await messagesOf(await fork(origin.id, question))
  expect(copy?.files.map(({ name }) => name)).toEqual(['0.png', '1.png'])
  const fileIds = made.map(({ id }) => id)
  expect(await app.db.select().from(messageFiles).where(inArray(messageFiles.fileId, fileIds))).toHaveLength(4)
})

test('an answer that is still being written is not copied', async () => {
  const origin = await aThread(app.db, anna.user.id)
  const [question = ''] = await aBranch(app.db, origin, 1)
  const answer = await aMessage(app.db, origin, { parentId: question, role: 'assistant', status: 'streaming' })
  const count = () => app.db.$count(threads, eq(threads.userId, anna.user.id))
  const before = await count()
  await expect(fork(origin.id, answer.id)).rejects.toMatchObject({ status: 409 })
  expect(await count()).toBe(before)
  expect(await messagesOf(await fork(origin.id, question))).toHaveLength(1)
})

test('a fork from a message of another thread answers 404', async () => {
  const [origin, other] = [await aThread(app.db, anna.user.id), await aThread(app.db, anna.user.id)]
  const [elsewhere = ''] = await aBranch(app.db, other, 1)
  for (const id of [elsewhere, 'no-such']) await expect(fork(origin.id, id)).rejects.toMatchObject({ status: 404 })
})

test('2,000 messages are copied whole and in order', async () => {
  const origin = await aThread(app.db, anna.user.id)
  const ids = await aBranch(app.db, origin, 2000)
  const { id, currentLeafId } = await fork(origin.id, ids.at(-1) ?? '')
  const originals = await branchUp(app.db, anna.user.id, ids.at(-1) ?? '', 2000)
  const copies = await branchUp(app.db, anna.user.id, currentLeafId ?? '', 3000)
  expect(copies.map(({ content }) => content)).toEqual(originals.map(({ content }) => content))
  expect(await app.db.$count(messages, eq(messages.threadId, id))).toBe(2000)
})
