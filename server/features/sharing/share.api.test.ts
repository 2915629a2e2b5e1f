import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type SharedThread, threadsApi } from '#contract/threads.ts'
import { messages, threads } from '#server/db/schema.ts'
import { noParts } from '#server/http/page-html.ts'
import { memoryLimits, startTestApp, testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'

const site = {
  buildId: 'test',
  html: '<p>страница</p>',
  files: new Map(),
  parts: noParts,
  worker: { keeps: false, script: '' },
}
const app = await testApp({ deps: { limits: memoryLimits(), site } })
const anna = await app.signIn()

/** Each reader has an own IP address. */
let readers = 0
const read = (shareId: string, ip = `10.0.0.${++readers}`) =>
  app.app.request(`/api/shared/${shareId}`, {}, { incoming: { socket: { remoteAddress: ip } } })
const textsOf = async (response: Response) =>
  ((await response.json()) as SharedThread).Messages.map(({ content }) => content)
const share = (id: string, who = anna) => who.call(threadsApi.share, { params: { id } })
const unshare = (id: string, who = anna) => who.call(threadsApi.unshare, { params: { id } })
const rejection = { status: 404, code: 'not_found', message: 'Такого чата нет: ссылка закрыта или неверна.' }

async function aShared(length = 4) {
  const thread = await aThread(app.db, anna.user.id, { title: 'Договор аренды' })
  const ids = await aBranch(app.db, thread, length)
  const { shareId } = await share(thread.id)
  return { thread, ids, shareId: shareId ?? '' }
}

test('anyone with the link reads the texts, without the owner’s data (S10.130)', async () => {
  const { ids, shareId } = await aShared(2)
  expect(shareId).toMatch(/^[\w-]{22,}$/)
  const response = await read(shareId)
  expect(await response.json()).toEqual({
    title: 'Договор аренды',
    sharedAt: expect.stringMatching(/^\d{4}-/),
    cut: false,
    Messages: [
      { id: ids[0], role: 'user', content: 'Вопрос 1', createdAt: expect.any(String) },
      { id: ids[1], role: 'assistant', content: 'Ответ 2', createdAt: expect.any(String) },
    ],
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow')
})

test('only the shared page is marked as noindex for search engines', async () => {
  const page = await app.app.request('/shared/abc')
  expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
  expect((await app.app.request('/threads/abc')).headers.get('x-robots-tag')).toBeNull()
})

test('later messages are shown only after sharing again, under the same link', async () => {
  const { thread, ids, shareId } = await aShared()
  const later = await aMessage(app.db, thread, { content: 'Ещё вопрос', parentId: ids.at(-1) })
  await app.db.update(threads).set({ currentLeafId: later.id }).where(eq(threads.id, thread.id))
  expect(await textsOf(await read(shareId))).toHaveLength(4)
  expect((await share(thread.id)).shareId).toBe(shareId)
  expect((await textsOf(await read(shareId))).at(-1)).toBe('Ещё вопрос')
})

test('only the shared branch is shown, not its other versions', async () => {
  const { thread, ids, shareId } = await aShared()
  await aMessage(app.db, thread, { content: 'Другая версия', parentId: ids[0], role: 'assistant' })
  expect(await textsOf(await read(shareId))).not.toContain('Другая версия')
})

test('a closed link stays closed: sharing again creates another (S10.130)', async () => {
  const { thread, shareId } = await aShared()
  expect((await unshare(thread.id)).shareId).toBeNull()
  const closed = await read(shareId)
  expect([closed.status, await closed.json()]).toEqual([404, rejection])
  expect(closed.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect((await unshare(thread.id)).shareId).toBeNull()
  const again = await share(thread.id)
  expect(again.shareId).not.toBe(shareId)
  expect((await read(shareId)).status).toBe(404)
  expect((await read(again.shareId ?? '')).status).toBe(200)
})

test('a thread’s link does not work while it is in the trash', async () => {
  const { thread, shareId } = await aShared()
  await anna.call(threadsApi.delete, { params: { id: thread.id }, query: {} })
  expect(await (await read(shareId)).json()).toEqual(rejection)
  await anna.call(threadsApi.update, { params: { id: thread.id }, body: { deleted: false } })
  expect((await read(shareId)).status).toBe(200)
})

test('an unknown link and a malformed link both answer 404', async () => {
  for (const wrong of ['aaaaaaaaaaaaaaaaaaaaaaaa', 'null', '%00', '%27', 'a'.repeat(500)]) {
    const response = await read(wrong)
    expect([400, 404]).toContain(response.status)
  }
  expect(await (await read('aaaaaaaaaaaaaaaaaaaaaaaa')).json()).toEqual(rejection)
})

test('deleted messages disappear from the shared thread', async () => {
  const { thread, ids, shareId } = await aShared()
  await anna.call(threadsApi.deleteMessage, { params: { id: thread.id, messageId: ids[2] ?? '' } })
  expect(await textsOf(await read(shareId))).toEqual(['Вопрос 1', 'Ответ 2'])
  await anna.call(threadsApi.deleteMessage, { params: { id: thread.id, messageId: ids[0] ?? '' } })
  expect((await read(shareId)).status).toBe(404)
})

test('a running answer is shown as far as it is stored', async () => {
  const thread = await aThread(app.db, anna.user.id)
  const [question] = await aBranch(app.db, thread, 1)
  const answer = await aMessage(app.db, thread, {
    parentId: question,
    role: 'assistant',
    status: 'streaming',
    content: 'Полови',
  })
  await app.db.update(threads).set({ currentLeafId: answer.id }).where(eq(threads.id, thread.id))
  const { shareId } = await share(thread.id)
  expect(await textsOf(await read(shareId ?? ''))).toEqual(['Вопрос 1', 'Полови'])
  await app.db
    .update(messages)
    .set({ content: 'Половина', status: 'complete', run: null })
    .where(eq(messages.id, answer.id))
  expect((await textsOf(await read(shareId ?? ''))).at(-1)).toBe('Половина')
})

test('a very long thread shows its last two thousand messages', async () => {
  const { ids, shareId } = await aShared(2100)
  const shown = (await (await read(shareId)).json()) as SharedThread
  expect(shown.Messages).toHaveLength(2000)
  expect(shown.Messages.at(-1)?.id).toBe(ids.at(-1))
  expect(shown.cut).toBe(true)
})

test('a shared thread has at most two megabytes, with its newest message', async () => {
  const { thread, ids, shareId } = await aShared(60)
  await app.db
    .update(messages)
    .set({ content: 'ю'.repeat(100_000) })
    .where(eq(messages.threadId, thread.id))
  await share(thread.id)
  const response = await read(shareId)
  const body = await response.text()
  expect(Buffer.byteLength(body)).toBeLessThan(2_100_000)
  const shown = JSON.parse(body) as SharedThread
  expect(shown.cut).toBe(true)
  expect(shown.Messages.map(({ id }) => id)).toEqual(ids.slice(-10))
  await app.db
    .update(messages)
    .set({ content: 'ю'.repeat(1_100_000) })
    .where(eq(messages.id, ids.at(-1) ?? ''))
  await share(thread.id)
  expect(await textsOf(await read(shareId))).toHaveLength(1)
})

test('later changes stay private until the thread is shared again', async () => {
  const { thread, ids, shareId } = await aShared(2)
  const edit = (content: string) =>
    anna.call(threadsApi.editMessage, { params: { id: thread.id, messageId: ids[1] ?? '' }, body: { content } })
  await edit('Правка для себя')
  await edit('Ещё правка')
  await anna.call(threadsApi.update, { params: { id: thread.id }, body: { title: 'Своё название' } })
  const shown = (await (await read(shareId)).json()) as SharedThread
  expect([shown.title, shown.Messages[1]?.content]).toEqual(['Договор аренды', 'Ответ 2'])
  await share(thread.id)
  const again = (await (await read(shareId)).json()) as SharedThread
  expect([again.title, again.Messages[1]?.content]).toEqual(['Своё название', 'Ещё правка'])
})

test('an answer that is continued after sharing is shown as it was', async () => {
  const { thread, ids, shareId } = await aShared(2)
  const change = (set: Partial<typeof messages.$inferInsert>) =>
    app.db
      .update(messages)
      .set(set)
      .where(eq(messages.id, ids[1] ?? ''))
  await change({
    status: 'streaming',
    instance: app.instance.id,
    run: { hold: 'h', offset: 7, input: 1, inputRate: 1, outputRate: 1 },
  })
  await change({ status: 'complete', run: null, content: 'Ответ 2 и продолжение' })
  expect(await textsOf(await read(shareId))).toEqual(['Вопрос 1', 'Ответ 2'])
  expect((await share(thread.id)).shareId).toBe(shareId)
  expect((await textsOf(await read(shareId))).at(-1)).toBe('Ответ 2 и продолжение')
})

test('foreign, deleted and empty threads cannot be shared', async () => {
  const boris = await app.signIn()
  const { thread } = await aShared()
  await expect(share(thread.id, boris)).rejects.toMatchObject({ status: 404 })
  await expect(unshare(thread.id, boris)).rejects.toMatchObject({ status: 404 })
  const gone = await aThread(app.db, anna.user.id, { deletedAt: new Date() })
  await aBranch(app.db, gone, 2)
  await expect(share(gone.id)).rejects.toMatchObject({ status: 404 })
  const empty = await aThread(app.db, anna.user.id)
  await expect(share(empty.id)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('делиться нечем'),
  })
})

test('sharing and closing raise the version and notify the owner’s pages', async () => {
  const events: unknown[] = []
  const other = await startTestApp({ deps: { publish: (userId, event) => events.push([userId, event]) } })
  const boris = await other.signIn()
  const thread = await aThread(other.db, boris.user.id)
  await aBranch(other.db, thread, 2)
  const shared = await share(thread.id, boris)
  const closed = await unshare(thread.id, boris)
  expect([shared.version, closed.version]).toEqual([thread.version + 1, thread.version + 2])
  const published = (version: number) => [
    [boris.user.id, { topic: 'threads', type: 'changed', data: { id: thread.id } }],
    [boris.user.id, { topic: `thread:${thread.id}`, type: 'changed', data: { version } }],
  ]
  expect(events).toEqual([...published(shared.version), ...published(closed.version)])
  await other.close()
})

test('a client that tries many links is limited, others are not', async () => {
  const { shareId } = await aShared()
  for (let no = 0; no < 300; no++) await read('guessing', '10.9.9.9')
  expect((await read('guessing', '10.9.9.9')).status).toBe(429)
  expect((await read(shareId, '10.9.9.10')).status).toBe(200)
})
