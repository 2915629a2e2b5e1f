import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { assistants, filePassages, files, models } from '#server/db/schema.ts'
import { createPool } from '#server/files/pool.ts'
import { makeDrawnPdf } from '#server/files/testing/make-pdf.ts'
import type { Embed } from '#server/llm/embeddings.ts'
import { testApp } from '#server/testing/app.ts'
import { endInstance } from '#server/testing/instance.ts'
import { type FileReadingDeps, readStale, readUploaded } from '../files/reading.ts'
import { uploadAndWait } from '../files/testing/upload.ts'
import { embedMissing } from './embedding.ts'
import { findPassages } from './retrieve.ts'
import { insertAssistant, insertFile, insertIndexedFile } from './testing/insert-file.ts'

let libraryId: string
const app = await testApp()
const anna = await app.signIn()
await uploadAndWait(anna, 'first.txt', 'текст')
beforeEach(async () => {
  await app.db.delete(files)
  await app.db.delete(models).where(eq(models.kind, 'embedding'))
  libraryId = await insertAssistant(app, anna.user.id)
})

const owner = () => ({ userId: anna.user.id, libraryId })
const rowOf = async (id: string) => (await app.db.select().from(files).where(eq(files.id, id)))[0]
const passagesOf = (id: string) =>
  app.db.select().from(filePassages).where(eq(filePassages.fileId, id)).orderBy(asc(filePassages.position))
const story = (sentences: number) =>
  Array.from({ length: sentences }, (_, n) => `Предложение номер ${n} о сроках, ценах и порядке поставки товара.`).join(
    ' ',
  )

/** The deps of the app with another embedding function. */
const reading = (embed: Embed | null, changes: Partial<FileReadingDeps> = {}): FileReadingDeps => ({
  ...app.files,
  knowledge: { ...app.files.knowledge, hasVectors: embed !== null, providers: { embed: () => embed } },
  ...changes,
})
const addEmbedder = (id = 'vectors', position = 0) =>
  app.db
    .insert(models)
    .values({ id, name: id, kind: 'embedding', provider: 'own', providerModel: id, hidden: true, position })

test("an assistant's file is indexed, a chat's file is only read", async () => {
  const id = await insertIndexedFile(app, owner(), 'a.txt', story(60))
  expect(await rowOf(id)).toMatchObject({ state: 'ready', progress: 100, error: null, tries: 1 })
  const passages = await passagesOf(id)
  expect(passages.length).toBeGreaterThan(2)
  expect(passages.map(({ position }) => position)).toEqual(passages.map((_, n) => n))
  expect(passages[0]).toMatchObject({ id: `${id}-0`, libraryId, embedding: null, embedder: null })
  const chat = await uploadAndWait(anna, 'b.txt', story(60))
  expect(await passagesOf(chat.id)).toEqual([])
})

test('the progress is published: reading, indexing with percent, ready', async () => {
  await addEmbedder()
  const id = await insertFile(app, owner(), 'a.txt', story(100))
  // Embedding takes two seconds, so that progress is published.
  vi.useFakeTimers({ toFake: ['Date'] })
  const slow: Embed = async (texts) => {
    vi.setSystemTime(Date.now() + 2000)
    return texts.map(() => [1, 0])
  }
  const seen: Promise<string>[] = []
  const publish: FileReadingDeps['publish'] = (_userId, { topic, type }) => {
    seen.push(rowOf(id).then((row) => `${topic} ${type} ${row?.state} ${row?.progress}`))
  }
  await readUploaded(reading(slow, { publish }), id).finally(() => vi.useRealTimers())
  const way = ['reading 0', 'indexing 0', 'indexing 100', 'ready 100'].map((state) => `files changed ${state}`)
  // The row is read a moment after its event, so it may be further than the event.
  const steps = (await Promise.all(seen)).map((state) => way.indexOf(state))
  expect(steps).toHaveLength(way.length)
  for (const [event, step] of steps.entries()) expect(step).toBeGreaterThanOrEqual(event)
  expect(steps.at(-1)).toBe(way.length - 1)
})

describe('vectors', () => {
  /** Vectors with two meanings, independent of spelling. */
  const byMeaning: Embed = async (texts) =>
    texts.map((text) => [/кошк|питом/i.test(text) ? 1 : 0, /машин|автомоб/i.test(text) ? 1 : 0, 0.1])

  test('are made for every passage with its heading, in batches', async () => {
    await addEmbedder()
    const batches: string[][] = []
    const embed: Embed = async (texts) => {
      batches.push(texts)
      return texts.map((_, n) => [n, 1])
    }
    const id = await insertFile(app, owner(), 'Поставка.txt', story(6000))
    await readUploaded(reading(embed), id)
    const passages = await passagesOf(id)
    expect(passages.length).toBeGreaterThan(200)
    expect(batches.flat().length).toBe(passages.length)
    expect(Math.max(...batches.map((texts) => texts.length))).toBeLessThanOrEqual(200)
    expect(batches[0]?.[0]).toMatch(/^Файл «Поставка\.txt»\n\nПредложение номер 0/)
    expect(passages.every(({ embedder }) => embedder === 'own/vectors')).toBe(true)
    expect(passages[3]?.embedding).toEqual([3, 1])
  })

  test('find a passage that shares no word with the question', async (context) => {
    context.skip(!app.files.knowledge.hasVectors, 'this database compares no vectors')
    await addEmbedder()
    const filler = Array.from({ length: 30 }, (_, n) => `# Тема ${n}\n\n${story(18)}`).join('\n\n')
    const id = await insertFile(app, owner(), 'a.md', `${filler}\n\n# Прочее\n\nКошка спит у окна. ${story(15)}`)
    await readUploaded(reading(byMeaning), id)
    const ask = { libraryId, question: 'Что делает питомец?', most: 6000 }
    const { passages } = await findPassages(app.db, reading(byMeaning).knowledge, ask)
    expect(passages[0]?.text).toContain('Кошка спит у окна')
    const silent: Embed = () => Promise.reject(new Error('no answer'))
    await expect(findPassages(app.db, reading(silent).knowledge, ask)).resolves.toMatchObject({ whole: false })
  })

  test('that cannot be made are made later; words still find the file', async () => {
    await addEmbedder()
    const id = await insertFile(app, owner(), 'a.txt', story(60))
    await readUploaded(
      reading(() => Promise.reject(new Error('no answer'))),
      id,
    )
    expect(await rowOf(id)).toMatchObject({ state: 'ready', progress: 100 })
    expect((await passagesOf(id)).every(({ embedding }) => embedding === null)).toBe(true)
    await embedMissing(app.db, reading(byMeaning).knowledge)
    expect((await passagesOf(id)).every(({ embedding }) => embedding?.length === 3)).toBe(true)
  })

  test('of an assistant bound to another country are never made (S10.332)', async () => {
    await addEmbedder()
    await app.db.update(assistants).set({ country: 'RU' }).where(eq(assistants.id, libraryId))
    const id = await insertFile(app, owner(), 'a.txt', story(6000))
    const embedded: string[] = []
    const embed: Embed = async (texts) => {
      embedded.push(...texts)
      return texts.map(() => [1, 2])
    }
    const { knowledge, ...rest } = reading(embed)
    const inCountry = (country: string) => ({
      ...knowledge,
      providers: { embed: () => embed, countryOf: () => country },
    })
    await readUploaded({ ...rest, knowledge: inCountry('US') }, id)
    await embedMissing(app.db, inCountry('US'))
    await findPassages(app.db, inCountry('US'), { libraryId, question: 'Что здесь?', most: 3000 })
    expect(embedded).toEqual([])
    await embedMissing(app.db, inCountry('RU'))
    expect((await passagesOf(id)).every(({ embedding }) => embedding !== null)).toBe(true)
  })

  test('are replaced when the model changes', async () => {
    await addEmbedder('second', 1)
    const id = await insertFile(app, owner(), 'a.txt', story(60))
    await readUploaded(reading(byMeaning), id)
    await addEmbedder('first', 0)
    await embedMissing(app.db, reading(async (texts) => texts.map(() => [1, 2])).knowledge)
    for (const { embedder, embedding } of await passagesOf(id)) {
      expect([embedder, embedding]).toEqual(['own/first', [1, 2]])
    }
  })
})

test('a file deleted while being indexed leaves nothing and logs no error', async () => {
  await addEmbedder()
  const id = await insertFile(app, owner(), 'a.txt', story(300))
  const embed: Embed = async (texts) => {
    await app.db.delete(files).where(eq(files.id, id))
    return texts.map(() => [1])
  }
  await readUploaded(reading(embed), id)
  expect(await passagesOf(id)).toEqual([])
})

test('a stopping server releases the file it indexes, without a second reading', async () => {
  await addEmbedder()
  const id = await insertFile(app, owner(), 'a.txt', story(100))
  const pool = createPool({ threads: 1, workMs: 60_000, heapMb: 256 })
  let isEmbedding = () => {}
  const begun = new Promise<void>((done) => {
    isEmbedding = done
  })
  const hanging: Embed = (_texts, signal) =>
    new Promise((_, fail) => {
      isEmbedding()
      signal.addEventListener('abort', () => fail(signal.reason))
    })
  const work = readUploaded(reading(hanging, { pool }), id)
  await begun
  expect(await rowOf(id)).toMatchObject({ state: 'indexing', tries: 1 })
  await pool.close()
  await work
  expect(await rowOf(id)).toMatchObject({ state: 'uploaded', tries: 0, instance: null })
  const storage = { ...app.files.storage, read: () => Promise.reject(new Error('read again')) }
  await app.db
    .update(files)
    .set({ createdAt: new Date(Date.now() - 60_000) })
    .where(eq(files.id, id))
  await readStale(reading(null, { storage }))
  expect(await rowOf(id)).toMatchObject({ state: 'ready', progress: 100 })
  expect((await passagesOf(id)).length).toBeGreaterThan(3)
})

test('a long PDF is found by a page’s text, with its number', {
  timeout: 60_000,
}, async () => {
  const line = (page: number) => `(Chapter about shipment number ${1000 + page} and its long way.) Tj 0 -14 Td `
  const pages = Array.from({ length: 200 }, (_, n) => `BT /F1 10 Tf 40 760 Td ${line(n + 1).repeat(12)} ET`)
  const id = await insertIndexedFile(app, owner(), 'big.pdf', makeDrawnPdf(pages), 'application/pdf')
  expect(await rowOf(id)).toMatchObject({ state: 'ready' })
  for (const page of [1, 137, 200]) {
    const ask = { libraryId, question: `Where is shipment ${1000 + page}?`, most: 5000 }
    const { passages, whole } = await findPassages(app.db, app.files.knowledge, ask)
    expect(whole).toBe(false)
    expect(passages[0]).toMatchObject({ fileName: 'big.pdf', place: `стр. ${page}` })
    expect(passages[0]?.text).toContain(`number ${1000 + page}`)
  }
})

test('fifty files uploaded at once to an assistant all become ready', { timeout: 60_000 }, async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      insertFile(app, owner(), `${n}.txt`, `Уникальный файл${n} слон. ${story(20)}`),
    ),
  )
  await Promise.all(ids.map((id) => readUploaded(app.files, id)))
  const rows = await app.db.select({ state: files.state, tries: files.tries }).from(files)
  expect(rows).toEqual(ids.map(() => ({ state: 'ready', tries: 1 })))
  const ask = { libraryId, question: 'Где файл37?', most: 8000 }
  const { passages } = await findPassages(app.db, app.files.knowledge, ask)
  expect(passages[0]?.fileName).toBe('37.txt')
})

test.skipIf(!('url' in inject('snapshot')))(
  'kill -9 while a file is indexed: the next process finishes it',
  async () => {
    await addEmbedder()
    const id = await insertFile(app, owner(), 'a.txt', story(200))
    const dataDir = dirname(dirname(app.files.incoming))
    const script = 'server/features/knowledge/testing/index-and-hang.ts'
    const child = spawn(process.execPath, ['--import', 'tsx', script, String(app.url), dataDir, id])
    await once(child.stdout, 'data')
    expect(await rowOf(id)).toMatchObject({ state: 'indexing', tries: 1 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await readStale(reading(null))
    expect(await rowOf(id)).toMatchObject({ state: 'indexing', tries: 1 })
    await endInstance(app.db, (await rowOf(id))?.instance ?? '')
    await readStale(reading(null))
    expect(await rowOf(id)).toMatchObject({ state: 'ready', progress: 100, tries: 2 })
    const { length } = await passagesOf(id)
    expect(length).toBeGreaterThan(5)
  },
  30_000,
)
