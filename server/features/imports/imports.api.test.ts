import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { filesApi } from '#contract/files.ts'
import { importsApi } from '#contract/imports.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { threadsApi } from '#contract/threads.ts'
import { files, importItems, imports, messages, threads } from '#server/db/schema.ts'
import {
  claudeChat,
  claudeProject,
  deepSeekChat,
  gptChat,
  gptMessage,
  json,
  simpleGptChat,
  zipOf,
} from '#server/files/chats/testing/fixtures.ts'
import { makePng } from '#server/files/testing/make-images.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { reconcile } from '../billing/invariants.ts'
import { cleanImports } from './imports.ts'
import { importing } from './testing/importing.ts'

const WAIT = { timeout: 30_000, interval: 100 }
const published: (TopicEvent & { userId: string })[] = []
const app = await testApp({ deps: { publish: (userId, event) => published.push({ userId, ...event }) } })
let anna: SignedIn
beforeAll(async () => {
  anna = await app.signIn()
})
const { queue, put, upload, bring, settled } = importing(app)

const titles = async (visitor: SignedIn, query?: string) =>
  (await visitor.call(threadsApi.list, { query: query ? { query } : {} })).map(({ title }) => title)

test('an archive is shown before, brought, found and reported (S10.880, S10.887, S10.889)', async () => {
  const broken = `[${JSON.stringify(simpleGptChat('one', 'Как варить борщ?', 'Со свёклой'))},{"title":"Плохой","mapping":{"x":}}]`
  const zip = zipOf({
    ...{ 'conversations-000.json': broken, 'conversations-001.json': json([simpleGptChat('two')]) },
    'inner.zip': zipOf({ 'conversations.json': '[]' }),
  })
  const id = await upload(anna, zip)
  const before = await anna.call(importsApi.get, { params: { id } })
  expect(before).toMatchObject({
    status: 'found',
    found: {
      sources: ['chatgpt'],
      chats: 2,
      messages: 4,
      pictures: 0,
      skipped: 1,
      known: 0,
      from: '2023-11-14T22:13:20.250Z',
    },
  })
  expect(await titles(anna)).toEqual([])
  await anna.call(importsApi.start, { params: { id } })
  const done = await settled(anna, id)
  expect(done).toMatchObject({
    status: 'done',
    progress: 100,
    files: [],
    result: { added: 2, messages: 4, skipped: 2, known: 0 },
  })
  expect((await titles(anna)).toSorted()).toEqual(['Чат one', 'Чат two'])
  expect(await titles(anna, 'борща')).toEqual(['Чат one'])
  const report = await anna.call(importsApi.items, { params: { id }, query: {} })
  expect(report).toMatchObject([
    { outcome: 'skipped', reason: 'unopened', title: 'inner.zip' },
    { outcome: 'skipped', reason: 'broken', title: 'Плохой', threadId: null },
  ])
  const all = await anna.call(importsApi.items, { params: { id }, query: { all: '1' } })
  expect(all.map(({ outcome }) => outcome).toSorted()).toEqual(['added', 'added', 'skipped', 'skipped'])
  const [first] = await anna.call(threadsApi.list, { query: { query: 'борща' } })
  const thread = await anna.call(threadsApi.get, { params: { id: first?.id ?? '' }, query: {} })
  expect(thread).toMatchObject({
    createdAt: '2023-11-14T22:13:20.250Z',
    updatedAt: '2023-11-14T22:21:40.000Z',
  })
  expect(thread.Model).not.toBeNull()
  expect(thread.Messages).toMatchObject([
    { role: 'user', content: 'Как варить борщ?' },
    { role: 'assistant', content: 'Со свёклой', charged: 0, imported: { service: 'ChatGPT', model: 'gpt-4o' } },
  ])
  expect(await reconcile(app.db)).toEqual([])
})

test('a repeated call of an upload changes nothing (S10.1404)', async () => {
  const visitor = await app.signIn()
  const archive = json([simpleGptChat('once')])
  const body = { id: crypto.randomUUID(), files: [{ name: 'архив.json', bytes: archive.length }] }
  const begun = await visitor.call(importsApi.begin, { body })
  expect(await visitor.call(importsApi.begin, { body })).toEqual(begun)
  const sent = await put(visitor, begun.id, 0, 0, archive)
  expect(await put(visitor, begun.id, 0, 0, archive)).toEqual(sent)
  await visitor.call(importsApi.finish, { params: { id: begun.id } })
  await visitor.call(importsApi.finish, { params: { id: begun.id } })
  expect(await settled(visitor, begun.id)).toMatchObject({ status: 'found', found: { chats: 1, known: 0 } })
  expect(await visitor.call(importsApi.list, {})).toHaveLength(1)
})

test('changes of imports and projects reach other devices (S10.876)', async () => {
  const visitor = await app.signIn()
  published.length = 0
  const { id } = await bring(
    visitor,
    zipOf({ 'a.json': json([simpleGptChat('one')]), 'b.json': json([claudeProject]) }),
  )
  const topics = () => published.filter(({ userId }) => userId === visitor.user.id).map(({ topic }) => topic)
  expect(topics()).toEqual(expect.arrayContaining(['imports', 'threads', 'projects', 'profile']))
  published.length = 0
  await visitor.call(importsApi.undo, { params: { id }, body: {} })
  await settled(visitor, id)
  expect(topics()).toEqual(expect.arrayContaining(['imports', 'threads', 'projects']))
})

test('the same archive again adds only what is new (S10.890)', async () => {
  const visitor = await app.signIn()
  const chat = (nodes: object) =>
    gptChat('grows', {
      root: { parent: null },
      q: { parent: 'root', role: 'user' },
      a: { parent: 'q', role: 'assistant' },
      ...nodes,
    })
  const first = await bring(visitor, zipOf({ 'conversations.json': json([chat({}), simpleGptChat('same')]) }))
  expect(first.result).toMatchObject({ added: 2, messages: 4 })
  const more = { q2: { parent: 'a', role: 'user' }, a2: { parent: 'q2', role: 'assistant' } }
  const later = json([chat(more), simpleGptChat('same'), simpleGptChat('new')])
  const id = await upload(visitor, later)
  expect((await visitor.call(importsApi.get, { params: { id } })).found).toMatchObject({ chats: 3, known: 2 })
  await visitor.call(importsApi.start, { params: { id } })
  expect((await settled(visitor, id)).result).toMatchObject({ added: 1, grown: 1, known: 1, messages: 4 })
  const [grown] = await visitor.call(threadsApi.list, { query: { query: 'grows' } })
  const open = () => visitor.call(threadsApi.get, { params: { id: grown?.id ?? '' }, query: {} })
  expect((await open()).Messages.map(({ content }) => content)).toEqual(['q', 'a', 'q2', 'a2'])
  expect((await bring(visitor, later)).result).toMatchObject({ added: 0, grown: 0, known: 3, messages: 0 })
  await visitor.call(importsApi.undo, { params: { id }, body: {} })
  expect(await settled(visitor, id)).toMatchObject({ status: 'undone', result: { removed: 2, kept: 0 } })
  expect((await open()).Messages.map(({ content }) => content)).toEqual(['q', 'a'])
  expect(await titles(visitor)).toHaveLength(2)
})

test('undo removes exactly what came and keeps chats that were continued (S10.891)', async () => {
  const visitor = await app.signIn()
  const own = await visitor.call(threadsApi.create, { body: { title: 'Свой' } })
  const { id, result } = await bring(visitor, json([simpleGptChat('left'), simpleGptChat('gone')]))
  expect(result).toMatchObject({ added: 2 })
  const [left] = await visitor.call(threadsApi.list, { query: { query: 'Чат left' } })
  await app.db.insert(messages).values({
    ...{ id: `mine-${id}`, threadId: left?.id ?? '', userId: visitor.user.id, parentId: left?.currentLeafId ?? null },
    ...{ role: 'user', content: 'Продолжаю', status: 'complete' },
  })
  await app.db
    .update(threads)
    .set({ updatedAt: new Date() })
    .where(eq(threads.id, left?.id ?? ''))
  const before = await visitor.call(importsApi.get, { params: { id } })
  expect(before.continued).toEqual({ count: 1, titles: ['Чат left'] })
  await visitor.call(importsApi.undo, { params: { id }, body: {} })
  expect(await settled(visitor, id)).toMatchObject({ status: 'undone', result: { removed: 1, kept: 1 } })
  expect((await titles(visitor)).toSorted()).toEqual(['Свой', 'Чат left'])
  expect(await app.db.$count(threads, eq(threads.id, own.id))).toBe(1)
  // Brought again: only the chat that is gone.
  const again = await bring(visitor, json([simpleGptChat('left'), simpleGptChat('gone')]))
  expect(again.result).toMatchObject({ added: 1, known: 1 })
  await visitor.call(importsApi.undo, { params: { id: again.id }, body: { continued: true } })
  expect((await settled(visitor, again.id)).result).toMatchObject({ removed: 1, kept: 0 })
})

test('pictures and texts of files come, and go with the undo (S10.885)', async () => {
  const visitor = await app.signIn()
  const picture = { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-cat1' }
  const fake = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_fake' }
  const nodes = {
    root: { parent: null },
    q: {
      parent: 'root',
      message: gptMessage('user', { content_type: 'multimodal_text', parts: [picture, 'Кто это?'] }),
    },
    a: { parent: 'q', message: gptMessage('tool', { content_type: 'multimodal_text', parts: [picture, fake] }) },
  }
  const chats = [
    zipOf({ 'conversations.json': json([gptChat('pics', nodes)]) }),
    zipOf({ 'file-cat1-кот.png': makePng(20, 20), 'file_fake.png': 'not a picture' }),
  ]
  const { id, found, result } = await bring(visitor, ...chats)
  expect(found).toMatchObject({ pictures: 3, missingPictures: 0 })
  expect(result).toMatchObject({ added: 1, pictures: 2, partial: 1 })
  const [row] = await visitor.call(threadsApi.list, { query: {} })
  const { Messages } = await visitor.call(threadsApi.get, { params: { id: row?.id ?? '' }, query: {} })
  expect(
    Messages.map(({ content, files: attached }) => [content, attached.map(({ kind, state }) => [kind, state])]),
  ).toEqual([
    ['Кто это?', [['image', 'ready']]],
    ['[Картинка не перенесена]', [['image', 'ready']]],
  ])
  const fileId = Messages[0]?.files[0]?.id ?? ''
  expect((await visitor.fetch(`/api/files/${fileId}/content`)).headers.get('content-type')).toBe('image/png')
  expect((await bring(visitor, json([claudeChat('letter')]))).result).toMatchObject({
    added: 1,
    pictures: 1,
    partial: 1,
  })
  expect(await app.db.$count(files, eq(files.userId, visitor.user.id))).toBe(3)
  await visitor.call(importsApi.undo, { params: { id }, body: {} })
  await settled(visitor, id)
  expect(await app.db.$count(files, eq(files.userId, visitor.user.id))).toBe(1)
  await expect(visitor.call(filesApi.get, { params: { id: fileId } })).rejects.toMatchObject({ status: 404 })
})

test('an import that its process left goes on without doubles (S10.888)', async () => {
  const visitor = await app.signIn()
  const chats = Array.from({ length: 120 }, (_, i) => simpleGptChat(`c${i}`))
  const id = await upload(visitor, json(chats))
  await visitor.call(importsApi.start, { params: { id } })
  await queue().idle()
  // As a crash after the first batch leaves it: fifty chats are stored, and a dead instance has the row.
  const items = await app.db.select().from(importItems).where(eq(importItems.importId, id)).orderBy(importItems.id)
  const later = items.slice(50).flatMap(({ threadId }) => threadId ?? [])
  await app.db.delete(threads).where(sql`${threads.id} = any(${sql.param(later)}::text[])`)
  await app.db
    .delete(importItems)
    .where(sql`${importItems.id} = any(${sql.param(items.slice(50).map((item) => item.id))}::text[])`)
  expect(items).toHaveLength(120)
  const again = await upload(visitor, json(chats))
  const result = {
    added: 50,
    grown: 0,
    known: 0,
    messages: 100,
    pictures: 0,
    projects: 0,
    documents: 0,
    skipped: 0,
    partial: 0,
    removed: 0,
    kept: 0,
    keptProjects: 0,
  }
  const place = { file: 0, text: 0, item: 50 }
  await app.db.update(importItems).set({ importId: again }).where(eq(importItems.importId, id))
  await app.db
    .update(imports)
    .set({ state: 'working', step: 'store', instance: 'dead', tries: 1, place, result })
    .where(eq(imports.id, again))
  queue().wake()
  expect(await settled(visitor, again)).toMatchObject({
    status: 'done',
    result: { added: 120, known: 0, messages: 240 },
  })
  expect(await app.db.$count(threads, eq(threads.userId, visitor.user.id))).toBe(120)
})

test('our own export comes back as it was (S10.886)', async () => {
  const visitor = await app.signIn()
  await bring(visitor, json([deepSeekChat('theorem')]))
  const exported = await visitor.fetch(`/api/users/${visitor.user.id}/export`)
  const file = Buffer.from(await exported.arrayBuffer())
  const other = await app.signIn()
  expect((await bring(other, file)).result).toMatchObject({ added: 1, messages: 3, skipped: 0 })
  const [row] = await other.call(threadsApi.list, { query: {} })
  const { Messages } = await other.call(threadsApi.get, { params: { id: row?.id ?? '' }, query: {} })
  expect(Messages.map(({ content, siblings }) => [content, siblings.length])).toEqual([
    ['Докажи', 1],
    ['Второе', 2],
  ])
})

test('documents of ChatGPT in the archive become attachments (S10.898)', async () => {
  const visitor = await app.signIn()
  const attachments = [
    { id: 'file-Doc1', name: 'смета.csv', mime_type: 'text/csv' },
    { id: 'file-Gone', name: 'нет.pdf' },
    { id: 'file-Odd1', name: 'модель.blend' },
  ]
  const question = gptMessage('user', { content_type: 'text', parts: ['Проверь'] }, { metadata: { attachments } })
  const nodes = { root: { parent: null }, q: { parent: 'root', message: question } }
  const archive = zipOf({
    ...{ 'conversations.json': json([gptChat('docs', nodes)]), 'file-Doc1-смета.csv': 'плитка;900' },
    'file-Odd1-модель.blend': new Uint8Array(2000).map((_, i) => (i * 7919) % 256),
  })
  const { result } = await bring(visitor, archive)
  expect(result).toMatchObject({ added: 1, partial: 1 })
  const [row] = await visitor.call(threadsApi.list, { query: {} })
  const open = () => visitor.call(threadsApi.get, { params: { id: row?.id ?? '' }, query: {} })
  await vi.waitFor(
    async () => expect((await open()).Messages[0]?.files).toMatchObject([{ name: 'смета.csv', state: 'ready' }]),
    WAIT,
  )
  expect((await open()).Messages[0]?.content).toBe(
    'Проверь\n\n[Файл «нет.pdf» не перенесён]\n\n[Файл «модель.blend» не перенесён]',
  )
})

test.each([
  ['not an archive', Buffer.from('%PDF-1.7 text'), /не архив ZIP/],
  ['an archive without chats', zipOf({ 'user.json': json({ a: 1 }) }), /нет чатов/],
])('%s is named and can be put away (S10.887)', async (_name, bytes, reason) => {
  const visitor = await app.signIn()
  const id = await upload(visitor, bytes)
  expect(await visitor.call(importsApi.get, { params: { id } })).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(reason),
    files: [],
  })
  await visitor.call(importsApi.delete, { params: { id } })
  expect(await visitor.call(importsApi.list, {})).toEqual([])
})

test('an upload goes on from what has come; too much is refused (S10.892)', async () => {
  const visitor = await app.signIn()
  const bytes = json([simpleGptChat('c')])
  const body = { id: 'upload-0123456789', files: [{ name: 'a.json', bytes: bytes.length }] }
  await visitor.call(importsApi.begin, { body })
  const send = (offset: number, part: Uint8Array) => put(visitor, body.id, 0, offset, part)
  expect(await send(0, bytes.subarray(1))).toMatchObject({ status: 400 })
  expect(await send(7, bytes)).toMatchObject({ status: 409 })
  await expect(visitor.call(importsApi.finish, { params: { id: body.id } })).rejects.toMatchObject({ status: 409 })
  expect(await send(0, bytes)).toMatchObject({ received: bytes.length })
  expect(await send(0, bytes)).toMatchObject({ received: bytes.length })
  expect((await visitor.call(importsApi.begin, { body })).files[0]).toMatchObject({ received: bytes.length })
  await visitor.call(importsApi.begin, { body: { files: [{ name: 'b', bytes: 5 }] } })
  await expect(visitor.call(importsApi.begin, { body: { files: [{ name: 'c', bytes: 5 }] } })).rejects.toMatchObject({
    status: 409,
  })
  const big = Array.from({ length: 3 }, () => ({ name: 'big', bytes: 1024 ** 3 }))
  await expect(visitor.call(importsApi.begin, { body: { files: big } })).rejects.toMatchObject({ status: 413 })
})

test('imports of another person do not exist (S10.892)', async () => {
  const id = await upload(anna, json([simpleGptChat('secret')]))
  const boris = await app.signIn()
  const params = { id }
  for (const call of [
    () => boris.call(importsApi.get, { params }),
    () => boris.call(importsApi.start, { params }),
    () => boris.call(importsApi.items, { params, query: {} }),
    () => boris.call(importsApi.undo, { params, body: {} }),
    () => boris.call(importsApi.delete, { params }),
    () => boris.call(importsApi.finish, { params }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  expect(await put(boris, id, 0, 0, json([]))).toMatchObject({ status: 404 })
  expect(await boris.call(importsApi.list, {})).toEqual([])
  await anna.call(importsApi.delete, { params })
})

test('an archive that was left for a day is deleted (S10.892, S10.1130)', async () => {
  const visitor = await app.signIn()
  const id = await upload(visitor, json([simpleGptChat('left')]))
  const deps = { db: app.db, storage: app.files.storage }
  await cleanImports(deps)
  expect((await visitor.call(importsApi.list, {})).map((row) => row.id)).toEqual([id])
  const tomorrow = Date.now() + 25 * 3_600_000
  await cleanImports(deps, tomorrow)
  expect(await visitor.call(importsApi.list, {})).toEqual([])
  // One that failed while it brought chats leaves its report, not its archive.
  const failed = await upload(visitor, json([simpleGptChat('half')]))
  await app.db.update(imports).set({ state: 'failed', step: 'store' }).where(eq(imports.id, failed))
  await cleanImports(deps, tomorrow)
  expect(await visitor.call(importsApi.list, {})).toMatchObject([{ id: failed, files: [] }])
})

test('archives of one person take two gigabytes together (S10.1130)', async () => {
  const visitor = await app.signIn()
  const begin = (gigabytes: number) =>
    visitor.call(importsApi.begin, { body: { files: [{ name: 'a.zip', bytes: gigabytes * 1024 ** 3 }] } })
  const first = await begin(1.5)
  await expect(begin(1)).rejects.toMatchObject({ status: 413, message: /прежних переносов.*больше 2 ГБ/ })
  await begin(0.5)
  await visitor.call(importsApi.delete, { params: { id: first.id } })
  await begin(1.5)
})

test('whole chats of a broken off file come, the rest is named (S10.1129)', async () => {
  const visitor = await app.signIn()
  const text = JSON.stringify(Array.from({ length: 16 }, (_, i) => simpleGptChat(`half-${i}`)))
  const { id, found, result } = await bring(visitor, Buffer.from(text.slice(0, text.indexOf('half-10'))))
  expect(found).toMatchObject({ chats: 10, skipped: 0, cutOff: [{ name: 'архив-0.zip', chats: 10 }] })
  expect(result).toMatchObject({ added: 10, skipped: 0 })
  const report = await visitor.call(importsApi.items, { params: { id }, query: {} })
  expect(report).toMatchObject([{ title: 'архив-0.zip', outcome: 'skipped', reason: 'cut-off' }])
  // The whole file brings the rest.
  expect((await bring(visitor, Buffer.from(text))).result).toMatchObject({ added: 6, known: 10 })
  const nothing = await upload(visitor, Buffer.from(text.slice(0, 100)))
  expect(await visitor.call(importsApi.get, { params: { id: nothing } })).toMatchObject({
    status: 'failed',
    error: 'Файл «архив-0.zip» обрывается раньше, чем кончается первый чат. Скачайте архив ещё раз.',
  })
})
