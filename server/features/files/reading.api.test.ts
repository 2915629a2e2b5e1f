import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { filesApi } from '#contract/files.ts'
import { files, messageFiles, messages, threads } from '#server/db/schema.ts'
import { createPool } from '#server/files/pool.ts'
import { sweepIncoming } from '#server/files/receive.ts'
import { makePng } from '#server/files/testing/make-images.ts'
import { makePdf } from '#server/files/testing/make-pdf.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { s3Storage } from '#server/storage/s3.ts'
import type { Storage } from '#server/storage/storage.ts'
import { startFakeS3 } from '#server/storage/testing/fake-s3.ts'
import { type SignedIn, startTestApp, testApp } from '#server/testing/app.ts'
import { endInstance, registerInstance } from '#server/testing/instance.ts'
import { deleteUnusedFiles } from './files.ts'
import { type FileReadingDeps, readStale, readUploaded, retryFile } from './reading.ts'
import { send, uploadAndWait } from './testing/upload.ts'

const published: unknown[] = []
const app = await testApp()
const anna = await app.signIn()
await uploadAndWait(anna, 'first.txt', 'текст')
beforeEach(async () => {
  published.length = 0
  await app.db.delete(files)
})

const seconds = (count: number) => new Date(Date.now() - count * 1000)
const minutes = (count: number) => new Date(Date.now() - count * 60_000)
const days = (count: number) => minutes(count * 24 * 60)
const reading = (changes: Partial<FileReadingDeps> = {}): FileReadingDeps => ({
  ...app.files,
  publish: (userId, event) => published.push({ userId, ...event }),
  ...changes,
})

/** Inserts a file in a state in which a process left it. */
async function insertFile(
  state: 'uploaded' | 'reading' | 'ready' | 'failed',
  createdAt: Date,
  values: Partial<typeof files.$inferInsert> = {},
) {
  const id = newId()
  const storageKey = `uploads/${id}`
  await app.files.storage.put(storageKey, Buffer.from('Забытый текст'), 'text/plain')
  await app.db.insert(files).values({
    ...{ id, userId: anna.user.id, kind: 'document', name: 'a.txt', mime: 'text/plain', bytes: 25, storageKey },
    ...{ state, createdAt, claimableAt: new Date(createdAt.getTime() + 30_000) },
    ...values,
  })
  return id
}
const ctxOf = ({ user }: SignedIn): Ctx => ({
  ...{ db: app.db, publish: () => {}, user, ip: '' },
  session: { id: '', user, impersonatedBy: null },
})
const rowOf = async (id: string) => (await app.db.select().from(files).where(eq(files.id, id)))[0]

test('files of a dead process are read again, begun or not', async () => {
  const waiting = await insertFile('uploaded', minutes(4))
  const begun = await insertFile('reading', minutes(7), { tries: 1 })
  await readStale(reading())
  for (const id of [waiting, begun]) {
    expect(await rowOf(id)).toMatchObject({ state: 'ready', content: 'Забытый текст', error: null, progress: 100 })
  }
  expect((await rowOf(begun))?.tries).toBe(2)
})

test('a file is not claimed while its process lives', async () => {
  const { id: instance } = await registerInstance(app.db)
  const waiting = await insertFile('uploaded', seconds(20))
  const begun = await insertFile('reading', minutes(5), { tries: 1, instance })
  const states = async () => [(await rowOf(waiting))?.state, (await rowOf(begun))?.state]
  await readStale(reading())
  expect(await states()).toEqual(['uploaded', 'reading'])
  await endInstance(app.db, instance)
  await readStale(reading())
  expect(await states()).toEqual(['uploaded', 'ready'])
})

test('a file that kills its reader three times fails, with a retry', async () => {
  const id = await insertFile('reading', minutes(7), { tries: 2 })
  // The process of the third try dies: its thread never answers, and its row stays claimed.
  const never = {
    ...app.files.pool,
    use: <R>(work: (parse: never) => Promise<R>) => work((() => new Promise(() => {})) as never),
  }
  void readStale(reading({ pool: never }))
  await expect.poll(async () => (await rowOf(id))?.tries, { timeout: 10_000 }).toBe(3)
  expect(await anna.call(filesApi.get, { params: { id } })).toMatchObject({ state: 'reading', error: null })
  await app.db
    .update(files)
    .set({ instance: null, claimableAt: seconds(1) })
    .where(eq(files.id, id))
  await readStale(reading())
  expect(await anna.call(filesApi.get, { params: { id } })).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('с третьего раза'),
  })
  expect(await retryFile(ctxOf(anna), reading(), id)).toMatchObject({ state: 'uploaded', error: null })
  await expect.poll(async () => (await rowOf(id))?.state, { timeout: 10_000 }).toBe('ready')
})

test('only the owner can retry a file, and only a failed file', async () => {
  const ready = await insertFile('ready', minutes(1))
  const boris = await app.signIn()
  await expect(retryFile(ctxOf(anna), reading(), ready)).rejects.toMatchObject({ code: 'conflict' })
  const failed = await insertFile('failed', minutes(1), { error: 'Нет' })
  await expect(retryFile(ctxOf(boris), reading(), failed)).rejects.toMatchObject({ code: 'not_found' })
  expect(await rowOf(failed)).toMatchObject({ state: 'failed' })
})

test('a reader that lost its claim changes nothing', async () => {
  const id = await insertFile('uploaded', minutes(0))
  let wake = () => {}
  const asleep = new Promise<void>((done) => {
    wake = done
  })
  const late: Storage = {
    ...app.files.storage,
    read: async (key) => {
      await asleep
      return app.files.storage.read(key)
    },
  }
  const sleeper = readUploaded(reading({ storage: late }), id)
  await expect.poll(async () => (await rowOf(id))?.state, { timeout: 10_000 }).toBe('reading')
  await app.db.update(files).set({ instance: 'dead', storageKey: 'uploads/gone' }).where(eq(files.id, id))
  const another = { ...app.files.pool, ...createPool({ threads: 1, workMs: 60_000, heapMb: 256 }) }
  await readStale(reading({ pool: another }))
  expect(await rowOf(id)).toMatchObject({ state: 'failed', tries: 2 })
  wake()
  await sleeper
  await another.close()
  expect(await rowOf(id)).toMatchObject({ state: 'failed', tries: 2, content: null })
})

test('parallel readers of the same file read it once', async () => {
  const id = await insertFile('uploaded', minutes(0))
  let loaded = 0
  const storage: Storage = {
    ...app.files.storage,
    read: (key) => {
      loaded += 1
      return app.files.storage.read(key)
    },
  }
  await Promise.all(Array.from({ length: 8 }, () => readUploaded(reading({ storage }), id)))
  expect(loaded).toBe(1)
  expect(await rowOf(id)).toMatchObject({ state: 'ready' })
})

test('a server that stops releases the file it was reading', async () => {
  const pdf = makePdf(Array.from({ length: 3000 }, (_, page) => `Page ${page}`))
  const id = await insertFile('uploaded', minutes(0), { mime: 'application/pdf' })
  await app.files.storage.put(`uploads/${id}`, pdf, 'application/pdf')
  const pool = createPool({ threads: 1, workMs: 60_000, heapMb: 256 })
  const work = readUploaded(reading({ pool }), id)
  await expect.poll(async () => (await rowOf(id))?.state, { timeout: 10_000 }).toBe('reading')
  await pool.close()
  await work
  expect(await rowOf(id)).toMatchObject({ state: 'uploaded', error: null, tries: 0, instance: null })
})

test('when the storage does not answer, the file is tried twice more', async () => {
  const id = await insertFile('uploaded', minutes(0))
  const storage: Storage = { ...app.files.storage, read: () => Promise.reject(new Error('no answer')) }
  await readUploaded(reading({ storage }), id)
  for (const tries of [1, 2]) {
    expect(await rowOf(id)).toMatchObject({ state: 'uploaded', error: null, tries })
    await app.db
      .update(files)
      .set({ instance: null, claimableAt: seconds(1) })
      .where(eq(files.id, id))
    await readStale(reading({ storage }))
  }
  expect(await rowOf(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('с третьего раза') })
})

test('a file whose bytes are missing fails with a reason', async () => {
  const id = await insertFile('uploaded', minutes(0), { storageKey: 'uploads/gone' })
  await readUploaded(reading(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('не сохранился') })
})

test("every step of an assistant's file is published to its owner", async () => {
  const id = await insertFile('uploaded', minutes(0), { libraryId: 'assistant-1' })
  await readUploaded(reading(), id)
  const step = { userId: anna.user.id, topic: 'files', type: 'changed', data: { id, libraryId: 'assistant-1' } }
  expect(published).toEqual([step, step, step])
})

test('chat files without a message are deleted after two days', async () => {
  const unsent = await insertFile('ready', days(2.1))
  const young = await insertFile('ready', days(1.9))
  const sent = await insertFile('ready', days(50))
  const assistants = await insertFile('ready', days(50), { libraryId: 'assistant-1' })
  const [threadId, messageId] = [newId(), newId()]
  const userId = anna.user.id
  await app.db.insert(threads).values({ id: threadId, userId, title: 'Беседа' })
  await app.db
    .insert(messages)
    .values({ id: messageId, threadId, userId, role: 'user', content: '', status: 'complete' })
  await app.db.insert(messageFiles).values({ messageId, fileId: sent, position: 0 })
  await deleteUnusedFiles(app.db, app.files.storage)
  expect(await rowOf(unsent)).toBeUndefined()
  expect(await app.files.storage.read(`uploads/${unsent}`)).toBeNull()
  for (const id of [young, sent, assistants]) {
    expect(await rowOf(id)).toBeDefined()
    expect(await app.files.storage.read(`uploads/${id}`)).not.toBeNull()
  }
  await app.db.delete(threads).where(eq(threads.id, threadId))
  await deleteUnusedFiles(app.db, app.files.storage)
  expect(await rowOf(sent)).toBeUndefined()
})

test('temporary files of killed processes are deleted, running uploads stay', async () => {
  const [old, young] = [join(app.files.incoming, 'old'), join(app.files.incoming, 'young')]
  for (const path of [old, young]) await writeFile(path, 'half')
  await utimes(old, minutes(61), minutes(61))
  await sweepIncoming(app.files.incoming)
  await expect(utimes(old, new Date(), new Date())).rejects.toThrow('ENOENT')
  await utimes(young, new Date(), new Date())
})

test('an upload to a full disk gets an explaining error, leaving nothing (S10.157)', async () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
  const storage = { ...app.files.storage, put: () => Promise.reject(full) }
  const pool = { ...app.files.pool, close: async () => {} }
  const onFullDisk = await startTestApp({ database: app.database, deps: { files: { ...app.files, storage, pool } } })
  const refused = await send(await onFullDisk.signIn(), 'a.png', makePng(2, 2))
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({
    code: 'out_of_space',
    message: expect.stringContaining('кончилось место'),
  })
  expect(await app.db.$count(files)).toBe(0)
  await onFullDisk.close()
})

test('with S3 files work the same, without bytes on the disk', async () => {
  const s3 = await startFakeS3()
  const storage = s3Storage(s3.settings)
  const pool = { ...app.files.pool, close: async () => {} }
  const cloud = await startTestApp({
    database: app.database,
    deps: { files: { storage, incoming: app.files.incoming, pool } },
  })
  const boris = await cloud.signIn()
  const pdf = makePdf(['From the cloud'])
  const file = await uploadAndWait(boris, 'a.pdf', pdf)
  expect(await rowOf(file.id)).toMatchObject({ state: 'ready', content: 'From the cloud' })
  expect(s3.objects.get(`uploads/${file.id}`)?.mime).toBe('application/pdf')
  const response = await boris.fetch(`/api/files/${file.id}/content`)
  expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true)
  await boris.call(filesApi.delete, { params: { id: file.id } })
  expect(s3.objects.size).toBe(0)
  s3.stumbles = 99
  const refused = await send(boris, 'a.pdf', pdf)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Хранилище') })
  expect(await readdir(app.files.incoming)).not.toContainEqual(expect.stringMatching(/^[0-9a-f-]{36}$/))
  await cloud.close()
  await s3.close()
})
