import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { NEW_THREAD_TITLE, TEMPORARY_HOURS, TEMPORARY_TITLE, threadsApi } from '#contract/threads.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { ledger, messages, threads } from '#server/db/schema.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat } from '../answers/testing/chat.ts'
import { reconcile } from '../billing/invariants.ts'
import { purgeTemporary } from './threads.ts'

const chat = await closeAfterTests(startChat({ startSymbols: 100_000 }))

async function aTemporaryChat() {
  const anna = await chat.person()
  const body = { temporary: true, Model: { connect: { id: 'fast' } } }
  const { id } = await anna.call(threadsApi.create, { body })
  const before = chat.provider.received.length
  chat.provider.play(says('Верблюд'))
  const answer = await (await anna.send(id, { content: 'Кто живёт в пустыне?' })).message()
  return { anna, id, answer, calls: () => chat.provider.received.length - before }
}

const params = (id: string) => ({ params: { id } })

test('a temporary chat is in no list, search or export (S10.228)', async () => {
  const { anna, id, answer, calls } = await aTemporaryChat()
  const read = await anna.read(id)
  expect(read).toMatchObject({ temporary: true, title: TEMPORARY_TITLE })
  expect(read.Messages.at(-1)?.content).toBe('Верблюд')
  for (const view of ['active', 'archived', 'trash'] as const) {
    expect(await anna.call(threadsApi.list, { query: { view } })).toEqual([])
    expect(await anna.call(threadsApi.list, { query: { view, query: 'верблюд' } })).toEqual([])
    expect(await anna.call(threadsApi.list, { query: { view, query: 'временный' } })).toEqual([])
  }
  const exported = await (await anna.fetch(`/api/users/${anna.user.id}/export`)).text()
  expect(exported).not.toContain('Верблюд')
  await expect(anna.call(threadsApi.share, params(id))).rejects.toMatchObject({ status: 409, code: 'conflict' })
  expect(await anna.call(threadsApi.rename, params(id))).toBe(TEMPORARY_TITLE)
  expect(calls()).toBe(1)
  const fork = await anna.call(threadsApi.fork, { ...params(id), body: { messageId: answer.id } })
  expect(fork.temporary).toBe(true)
  const boris = await chat.person()
  await expect(boris.read(id)).rejects.toMatchObject({ status: 404 })
})

test('a temporary chat costs the same, and its operation stays explained (S10.230)', async () => {
  const { anna, id, answer } = await aTemporaryChat()
  await anna.call(threadsApi.delete, { ...params(id), query: {} })
  await expect(anna.read(id)).rejects.toMatchObject({ status: 404 })
  expect(await chat.app.db.$count(threads, eq(threads.id, id))).toBe(0)
  expect(await chat.app.db.$count(messages, eq(messages.threadId, id))).toBe(0)
  const [entry] = await anna.call(transactionsApi.list, { query: { limit: 1 } })
  expect(entry).toMatchObject({ kind: 'answer', symbols: -answer.charged, note: TEMPORARY_TITLE, threadId: id })
  const [row] = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, id))
  expect(JSON.stringify(row)).not.toMatch(/пустын|Верблюд/)
  expect(await reconcile(chat.app.db)).toEqual([])
})

test('a saved temporary chat is an ordinary chat with its own title (S10.230)', async () => {
  const { anna, id } = await aTemporaryChat()
  const saved = await anna.call(threadsApi.update, { ...params(id), body: { temporary: false } })
  expect(saved).toMatchObject({ temporary: false, title: NEW_THREAD_TITLE })
  expect((await anna.call(threadsApi.list, { query: {} })).map((thread) => thread.id)).toEqual([id])
  chat.provider.play(says('Звери пустыни'))
  expect(await anna.call(threadsApi.rename, params(id))).toBe('Звери пустыни')
  expect(await anna.call(threadsApi.update, { ...params(id), body: { temporary: false } })).toMatchObject({
    title: 'Звери пустыни',
  })
  const back = anna.call(threadsApi.update, { ...params(id), body: { temporary: true } as never })
  await expect(back).rejects.toMatchObject({ status: 400 })
})

test('a temporary chat ended during its answer is hidden, then deleted (S10.229)', async () => {
  const anna = await chat.person()
  const thread = await aThread(chat.app.db, anna.user.id, { temporary: true })
  const running = await aMessage(chat.app.db, thread, { role: 'assistant', status: 'streaming' })
  await anna.call(threadsApi.delete, { ...params(thread.id), query: {} })
  await expect(anna.read(thread.id)).rejects.toMatchObject({ status: 404 })
  await purgeTemporary(chat.app.db)
  expect(await chat.app.db.$count(threads, eq(threads.id, thread.id))).toBe(1)
  await chat.app.db.update(messages).set({ status: 'stopped', run: null }).where(eq(messages.id, running.id))
  await purgeTemporary(chat.app.db)
  expect(await chat.app.db.$count(threads, eq(threads.id, thread.id))).toBe(0)
})

test('the hourly cleanup deletes only temporary chats older than a day (S10.229)', async () => {
  const anna = await chat.person()
  const now = new Date()
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const make = (hours: number, temporary = true) =>
    aThread(chat.app.db, anna.user.id, { temporary, updatedAt: hoursAgo(hours) })
  const [fresh, old, ordinary] = [
    await make(TEMPORARY_HOURS - 2),
    await make(TEMPORARY_HOURS - 0.9),
    await make(99, false),
  ]
  await purgeTemporary(chat.app.db, now)
  const left = await chat.app.db.select({ id: threads.id }).from(threads).where(eq(threads.userId, anna.user.id))
  expect(left.map(({ id }) => id).sort()).toEqual([fresh.id, ordinary.id].sort())
  expect(left.map(({ id }) => id)).not.toContain(old.id)
})
