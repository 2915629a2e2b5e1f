import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { TopicEvent } from '#contract/realtime.ts'
import { threadsApi } from '#contract/threads.ts'
import { messages, threads } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'

let published: TopicEvent[] = []
const app = await testApp({ deps: { publish: (_, event) => published.push(event) } })
const anna = await app.signIn()

const thread = () => aThread(app.db, anna.user.id)
const edit = (id: string, messageId: string, content: string) =>
  anna.call(threadsApi.editMessage, { params: { id, messageId }, body: { content } })
const remove = (id: string, messageId: string) => anna.call(threadsApi.deleteMessage, { params: { id, messageId } })
const messageOf = async (id: string) => (await app.db.select().from(messages).where(eq(messages.id, id)))[0]
const threadOf = async (id: string) => (await app.db.select().from(threads).where(eq(threads.id, id)))[0]
const changedEvents = (id: string, version: number) => [
  { topic: 'threads', type: 'changed', data: { id } },
  { topic: `thread:${id}`, type: 'changed', data: { version } },
]

test('an edit changes only the text, and pages get an event', async () => {
  const { id, userId } = await thread()
  const [question = '', answer = ''] = await aBranch(app.db, { id, userId }, 2)
  await app.db.update(messages).set({ charged: 30, output: 20 }).where(eq(messages.id, answer))
  published = []
  expect(await edit(id, answer, 'Исправленный ответ')).toMatchObject({
    id: answer,
    parentId: question,
    content: 'Исправленный ответ',
    status: 'complete',
    charged: 30,
    output: 20,
    siblings: [answer],
  })
  expect(published).toEqual(changedEvents(id, 1))
  expect(await threadOf(id)).toMatchObject({ version: 1, currentLeafId: answer })
})

test('an edited text is found by its new words only', async () => {
  const { id, userId } = await thread()
  const [question = ''] = await aBranch(app.db, { id, userId }, 1)
  await edit(id, question, 'Зелёные ёжики')
  const finds = async (words: string) => {
    const found = sql`${messages.search} @@ plainto_tsquery('russian', ${words})`
    return (await app.db.select({ found }).from(messages).where(eq(messages.id, question)))[0]?.found
  }
  expect(await finds('зеленый ежик')).toBe(true)
  expect(await finds('вопрос')).toBe(false)
})

test('a question cannot become empty, and an answer cannot be too long', async () => {
  const { id, userId } = await thread()
  const [question = '', answer = ''] = await aBranch(app.db, { id, userId }, 2)
  for (const content of ['', ' \n ']) {
    await expect(edit(id, question, content)).rejects.toMatchObject({ status: 400, field: 'content' })
  }
  await expect(edit(id, answer, 'я'.repeat(100_001))).rejects.toMatchObject({ status: 400 })
  expect(await edit(id, answer, ' ')).toMatchObject({ content: ' ' })
  expect(await threadOf(id)).toMatchObject({ version: 1 })
})

test('a running answer and its parents can be neither edited nor deleted', async () => {
  const row = await thread()
  const [question = '', , second = ''] = await aBranch(app.db, row, 3)
  const answer = await aMessage(app.db, row, {
    parentId: second,
    role: 'assistant',
    status: 'streaming',
    content: 'Уже',
  })
  published = []
  const rejection = { status: 409, message: 'Ответ ещё пишется. Дождитесь конца или остановите его.' }
  await expect(edit(row.id, answer.id, 'Нет')).rejects.toMatchObject(rejection)
  for (const id of [answer.id, second, question]) await expect(remove(row.id, id)).rejects.toMatchObject(rejection)
  expect(await messageOf(answer.id)).toMatchObject({ content: 'Уже' })
  expect(await threadOf(row.id)).toMatchObject({ version: 0 })
  expect(published).toEqual([])
})

test('a message of another thread answers 404', async () => {
  const [here, there] = [await thread(), await thread()]
  const [elsewhere = ''] = await aBranch(app.db, there, 1)
  for (const messageId of [elsewhere, 'no-such-message']) {
    const rejection = { status: 404, message: 'В этом чате нет такого сообщения' }
    await expect(edit(here.id, messageId, 'Нет')).rejects.toMatchObject(rejection)
    await expect(remove(here.id, messageId)).rejects.toMatchObject(rejection)
  }
  expect(await messageOf(elsewhere)).toMatchObject({ content: 'Вопрос 1' })
})

test('a deleted message takes only the versions below it along (S10.116)', async () => {
  const row = await thread()
  const [question = '', answer = '', ...below] = await aBranch(app.db, row, 5)
  const version = await aMessage(app.db, row, { parentId: answer })
  const belowVersion = await aMessage(app.db, row, { parentId: version.id, role: 'assistant' })
  published = []
  const { deleted, Thread } = await remove(row.id, answer)
  expect(new Set(deleted)).toEqual(new Set([answer, ...below, version.id, belowVersion.id]))
  expect(Thread).toMatchObject({ id: row.id, currentLeafId: question, version: 1 })
  const left = await app.db.select().from(messages).where(eq(messages.threadId, row.id))
  expect(left.map(({ id }) => id)).toEqual([question])
  expect(published).toEqual(changedEvents(row.id, 1))
})

test('deleting a version shows the newest remaining version and its leaf', async () => {
  const row = await thread()
  const [question = ''] = await aBranch(app.db, row, 1)
  const answerAt = (second: number) =>
    aMessage(app.db, row, { parentId: question, role: 'assistant', createdAt: new Date(1e12 + second * 1000) })
  await answerAt(1)
  const second = await answerAt(2)
  const third = await answerAt(3)
  const below = await aMessage(app.db, row, { parentId: second.id })
  await app.db.update(threads).set({ currentLeafId: third.id }).where(eq(threads.id, row.id))
  expect((await remove(row.id, third.id)).Thread.currentLeafId).toBe(below.id)
})

test('deleting the first message shows another first message or an empty thread', async () => {
  const empty = await thread()
  const [only = ''] = await aBranch(app.db, empty, 2)
  expect((await remove(empty.id, only)).Thread.currentLeafId).toBeNull()
  expect(await anna.call(threadsApi.get, { params: { id: empty.id }, query: {} })).toMatchObject({ Messages: [] })
  const row = await thread()
  const other = await aMessage(app.db, row, { createdAt: new Date(1e12) })
  const [first = ''] = await aBranch(app.db, row, 2)
  expect((await remove(row.id, first)).Thread.currentLeafId).toBe(other.id)
})

test('deleting a hidden version does not change the current branch', async () => {
  const row = await thread()
  const [question = '', answer] = await aBranch(app.db, row, 2)
  const hidden = await aMessage(app.db, row, { parentId: question, role: 'assistant' })
  expect((await remove(row.id, hidden.id)).Thread.currentLeafId).toBe(answer)
})

test('a share link of a deleted message shows the messages before it', async () => {
  const row = await thread()
  const [, , third = '', fourth = ''] = await aBranch(app.db, row, 4)
  await app.db.update(threads).set({ sharedLeafId: fourth }).where(eq(threads.id, row.id))
  await remove(row.id, fourth)
  expect(await threadOf(row.id)).toMatchObject({ sharedLeafId: third })
})

test('a chain of 5,000 messages is deleted whole', async () => {
  const row = await thread()
  const ids = await aBranch(app.db, row, 5000)
  const { deleted, Thread } = await remove(row.id, ids[1] ?? '')
  expect(deleted).toHaveLength(4999)
  expect(Thread.currentLeafId).toBe(ids[0])
})
