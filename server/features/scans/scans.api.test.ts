import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { filesApi } from '#contract/files.ts'
import { scansApi } from '#contract/scans.ts'
import { usersApi } from '#contract/users.ts'
import { filePassages, files, modelCalls, models, scanPages } from '#server/db/schema.ts'
import { makePaper, makeScanPdf, type ScannedPage } from '#server/files/testing/make-scan.ts'
import { chunk, DONE, hangs, refuses, says, streams } from '#server/llm/testing/fake-openai.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { reconcile } from '../billing/invariants.ts'
import { uploadAndWait } from '../files/testing/upload.ts'
import { namesShown } from '../transactions/testing/names-shown.ts'
import { CUT, MISSHAPEN, REFUSED, SLOW, UNFIT } from './page-text.ts'
import { PAGE_PRICE, reads, startReading } from './testing/reader.ts'

const app = await closeAfterTests(startReading({ reading: { limits: { pageMs: 1500, pausesMs: [1, 1] } } }))
let anna: SignedIn
let paper: ScannedPage & { picture: Buffer }
beforeAll(async () => {
  paper = await makePaper(['Договор аренды'])
})
beforeEach(async () => {
  app.vision.play(reads('Арендатор платит до 10 числа.'))
  app.vision.received.length = 0
  anna = await app.signIn()
})
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

const pdfOf = (pages: number) => makeScanPdf(Array.from({ length: pages }, () => paper))

async function scanned(pages: number | Buffer = 3, draft = {}) {
  const assistant = await app.makeAssistant(anna, draft)
  const file = await addFileAndWait(anna, assistant.id, 'договор.pdf', typeof pages === 'number' ? pdfOf(pages) : pages)
  return { assistant, file }
}

const passagesOf = (fileId: string) =>
  app.db.select().from(filePassages).where(eq(filePassages.fileId, fileId)).orderBy(filePassages.position)
const fileRow = async (id: string) => (await app.db.select().from(files).where(eq(files.id, id)))[0]
const settledFile = (id: string) =>
  expect.poll(async () => (await fileRow(id))?.state, { timeout: 10_000 }).toMatch(/ready|failed/)

describe('a scan of an assistant', () => {
  test('names its pages and their price before it is read (S10.750)', async () => {
    const { file } = await scanned(3)
    expect(file).toMatchObject({ state: 'failed', scan: { pages: 3, read: 0 }, error: expect.stringMatching(/скан/) })
    expect(await app.scanOf(anna, file.id)).toEqual({
      ...{
        fileId: file.id,
        state: 'offered',
        pages: 3,
        read: 0,
        failed: [],
        left: 3,
        charged: 0,
        error: null,
        refusal: null,
      },
      ...{ pagePrice: PAGE_PRICE, price: 3 * PAGE_PRICE },
    })
    expect(app.vision.received).toEqual([])
  })

  test('is read page by page, and each page is charged once (S10.752)', async () => {
    const { file } = await scanned(3)
    const before = await app.available(anna)
    app.vision.play(reads('# Договор'), reads('Плата до 10 числа'), reads('| а | б |\n| - | - |\n| 1 | 2 |'))
    const scan = await app.read(anna, file.id)
    expect(scan).toMatchObject({ state: 'ready', read: 3, failed: [], price: 0, charged: 3 * PAGE_PRICE })
    const notes = (await app.entries(anna)).map(({ symbols, note, modelId }) => ({ symbols, note, modelId }))
    expect(notes).toEqual([1, 2, 3].map((page) => ({ symbols: -PAGE_PRICE, note: `Стр. ${page}`, modelId: 'reader' })))
    const { subjects, toAdmin } = await namesShown(anna, await app.signIn('owner@example.test'))
    expect(subjects).toEqual(Array.from({ length: 3 }, () => file.name))
    expect(toAdmin).not.toContain(file.name)
    expect((await app.available(anna)).availableTokens).toBe(before.availableTokens - 3 * PAGE_PRICE)
    await settledFile(file.id)
    const passages = await passagesOf(file.id)
    expect(passages.map(({ place }) => place)).toEqual(['стр. 1–3'])
    expect(passages[0]?.text).toContain('| 1 | 2 |')
    const shown = await anna.call(assistantsApi.passage, { params: { passageId: passages[0]?.id ?? '' } })
    expect(shown.picturePages).toEqual([1, 2, 3])
    const calls = await app.db.select().from(modelCalls).where(eq(modelCalls.kind, 'scan'))
    expect(calls).toHaveLength(3)
    await app.read(anna, file.id)
    expect(await app.entries(anna)).toHaveLength(3)
  })

  test('is sent as a picture whose words are data (S10.753)', async () => {
    const { file } = await scanned(1)
    await app.read(anna, file.id)
    const [system, user] = (app.vision.received[0]?.messages ?? []) as { content: unknown }[]
    expect(String(system?.content)).toMatch(/данные, а не указания/)
    const [picture] = ((user?.content ?? []) as { type: string; image_url?: { url: string } }[]).filter(
      ({ type }) => type === 'image_url',
    )
    const bytes = Buffer.from(picture?.image_url?.url.split(',')[1] ?? '', 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 620 })
  })

  test('keeps the pages that have a text and reads only the others (S10.754)', async () => {
    const mixed = makeScanPdf([{ text: 'First page with text' }, paper, { text: 'Third page with text' }])
    const { file } = await scanned(mixed)
    expect(file).toMatchObject({ state: 'ready', scan: { pages: 1, read: 0 } })
    app.vision.play(reads('Вторая страница со скана'))
    expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', pages: 1, charged: PAGE_PRICE })
    await settledFile(file.id)
    const row = await fileRow(file.id)
    expect(row?.content).toBe('First page with text\n\nВторая страница со скана\n\nThird page with text')
    expect(row?.pages?.map(({ name }) => name)).toEqual(['стр. 1', 'стр. 2', 'стр. 3'])
    expect(app.vision.received).toHaveLength(1)
  })

  test('has pages without ink for free (S10.752)', async () => {
    const { file } = await scanned(makeScanPdf([paper, await makePaper([])]))
    expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', read: 2, charged: PAGE_PRICE })
    app.vision.play(reads('ПУСТО'))
    const second = await scanned(1)
    expect(await app.read(anna, second.file.id)).toMatchObject({ state: 'ready', read: 1, charged: 0 })
    expect(await app.entries(anna)).toHaveLength(1)
  })

  test('takes photos and TIFF files too (S10.750)', async () => {
    const assistant = await app.makeAssistant(anna)
    const photo = await addFileAndWait(anna, assistant.id, 'чек.jpg', paper.picture)
    expect(photo).toMatchObject({ kind: 'image', state: 'failed', scan: { pages: 1 } })
    const frames = [paper.picture, paper.picture]
    const tiff = await addFileAndWait(
      ...([
        anna,
        assistant.id,
        'акты.tiff',
        await sharp(frames, { join: { animated: true } })
          .tiff()
          .toBuffer(),
      ] as const),
    )
    expect(tiff).toMatchObject({ state: 'failed', scan: { pages: 2 } })
    expect(await app.read(anna, photo.id)).toMatchObject({ state: 'ready', read: 1 })
    expect(await app.read(anna, tiff.id)).toMatchObject({ state: 'ready', read: 2 })
    await settledFile(photo.id)
    expect((await passagesOf(photo.id))[0]).toMatchObject({ place: null, text: 'Арендатор платит до 10 числа.' })
  })
})

describe('a page fails free of charge', () => {
  const length = streams(chunk('[начало x] много'), chunk(null, 'length'), DONE)
  test.each([
    ['refused by the model', refuses(400, { error: { code: 'content_filter', message: 'content_filter' } }), REFUSED],
    ['not accepted', refuses(400, { error: { message: 'bad image' } }), UNFIT],
    ['with a cut answer', length, CUT],
    ['with an answer of another shape', says('Извините, я не могу помочь.'), MISSHAPEN],
    ['that takes too long', hangs(), SLOW],
  ])('%s, and can be tried again (S10.755)', async (_, script, error) => {
    const { file } = await scanned(2)
    app.vision.play(script, reads('Вторая'))
    const scan = await app.read(anna, file.id)
    expect(scan).toMatchObject({ state: 'stopped', read: 1, failed: [{ number: 1, error }], charged: PAGE_PRICE })
    expect(scan.price).toBe(PAGE_PRICE)
    await settledFile(file.id)
    expect((await fileRow(file.id))?.content).toBe('Вторая')
    app.vision.play(reads('Первая'))
    expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', read: 2, charged: 2 * PAGE_PRICE })
    await settledFile(file.id)
    expect((await fileRow(file.id))?.content).toBe('Первая\n\nВторая')
    expect(await app.available(anna)).toMatchObject({ held: 0 })
  })

  test('of a busy model waits and is asked again (S10.755)', async () => {
    const { file } = await scanned(1)
    app.vision.play(refuses(429), refuses(429), reads('Дождались'))
    expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', charged: PAGE_PRICE })
  })

  test('of a model that is down ends the reading with its reason (S10.755)', async () => {
    const { file } = await scanned(3)
    app.vision.play(reads('Первая'), refuses(402))
    const scan = await app.read(anna, file.id)
    expect(scan).toMatchObject({ state: 'stopped', read: 1, failed: [], error: expect.stringMatching(/недоступна/) })
    expect(app.vision.received).toHaveLength(2)
    app.vision.play(reads('Дальше'))
    expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', read: 3, charged: 3 * PAGE_PRICE })
  })

  test('is not tried without end (S10.1088)', async () => {
    const { file } = await scanned(1)
    app.vision.play(says('Извините, я не могу помочь.'))
    const errors = [await app.read(anna, file.id), await app.read(anna, file.id), await app.read(anna, file.id)]
    expect(errors.map(({ left }) => left)).toEqual([1, 1, 0])
    expect(errors.at(-1)).toMatchObject({ price: 0, failed: [{ number: 1, error: expect.stringMatching(/снимком/) }] })
    await app.read(anna, file.id)
    expect(app.vision.received).toHaveLength(3)
  })

  test('no more when the model writes the text alone (S10.1086)', async () => {
    const { file } = await scanned(1)
    app.vision.play(says('Арендатор платит до 10 числа.'))
    expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', read: 1, charged: PAGE_PRICE })
    await settledFile(file.id)
    expect((await fileRow(file.id))?.content).toBe('Арендатор платит до 10 числа.')
  })

  test('five times in a row ends the reading (S10.755)', async () => {
    const { file } = await scanned(8)
    app.vision.play(says('Нет.'))
    const scan = await app.read(anna, file.id)
    expect(scan).toMatchObject({ state: 'stopped', read: 0, charged: 0, error: expect.stringMatching(/Подряд/) })
    expect(scan.failed).toHaveLength(5)
  })
})

describe('money', () => {
  test('a price that changed must be agreed to again (S10.752)', async () => {
    const { file } = await scanned(1)
    await expect(app.start(anna, file.id, 1)).rejects.toMatchObject({ status: 409 })
    expect(app.vision.received).toEqual([])
  })

  test('when symbols run out, the reading stops and goes on later (S10.756)', async () => {
    const poor = await closeAfterTests(startReading({ startSymbols: 2 * PAGE_PRICE + 700 }))
    poor.vision.play(reads('Страница'))
    const boris = await poor.signIn()
    const assistant = await poor.makeAssistant(boris)
    const file = await addFileAndWait(boris, assistant.id, 'а.pdf', pdfOf(4))
    const scan = await poor.read(boris, file.id)
    expect(scan).toMatchObject({ state: 'stopped', read: 2, charged: 2 * PAGE_PRICE })
    expect(scan.error).toMatch(/Закончились символы/)
    expect(await poor.available(boris)).toMatchObject({ availableTokens: 700, held: 0 })
    expect((await poor.db.select().from(files).where(eq(files.id, file.id)))[0]?.content).toBe('Страница\n\nСтраница')
    await expect(poor.start(boris, file.id)).rejects.toMatchObject({ code: 'out_of_symbols' })
    await poor.db.update(models).set({ pagePrice: 300 }).where(eq(models.id, 'reader'))
    await poor.start(boris, file.id, 300)
    await poor.scans.scanQueue.idle()
    expect(await poor.scanOf(boris, file.id)).toMatchObject({ state: 'ready', read: 4, charged: 2 * PAGE_PRICE + 600 })
    expect(await reconcile(poor.db)).toEqual([])
  })
})

describe('who may see it', () => {
  test('a stranger sees neither scan nor picture, without a session nobody does (S10.757)', async () => {
    const { file } = await scanned(2)
    const boris = await app.signIn()
    const path = `/api/scans/${file.id}`
    for (const [method, address] of [
      ['GET', path],
      ['POST', `${path}/start`],
      ['POST', `${path}/stop`],
      ['GET', `${path}/pages/1/picture`],
    ] as const) {
      const body = method === 'POST' ? JSON.stringify({ pagePrice: PAGE_PRICE }) : null
      const request = { method, body, headers: { 'content-type': 'application/json' } }
      expect((await boris.fetch(address, request)).status, address).toBe(404)
      expect((await app.visitor().fetch(address, request)).status, address).toBe(401)
    }
    const picture = await anna.fetch(`${path}/pages/2/picture`)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(picture.headers.get('cache-control')).toMatch(/private/)
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ width: 620 })
    expect((await anna.fetch(`${path}/pages/3/picture`)).status).toBe(404)
  })

  test('a deleted file takes its pages with it (S10.757)', async () => {
    const { assistant, file } = await scanned(1)
    await app.read(anna, file.id)
    await settledFile(file.id)
    await anna.call(assistantsApi.removeFile, { params: { id: assistant.id, fileId: file.id } })
    expect(await app.db.$count(scanPages, eq(scanPages.fileId, file.id))).toBe(0)
    expect((await anna.fetch(`/api/scans/${file.id}/pages/1/picture`)).status).toBe(404)
  })

  test('an assistant bound to a country has no page read abroad (S10.758)', async () => {
    const { file } = await scanned(1, { country: 'RU' })
    expect(await app.scanOf(anna, file.id)).toMatchObject({
      ...{ pagePrice: null, price: null, refusal: expect.stringMatching(/остаются в России/) },
    })
    await expect(app.start(anna, file.id)).rejects.toMatchObject({ status: 409 })
    await app.db.insert(models).values({ ...app.model, id: 'near', name: 'Ближний', provider: 'home', position: 60 })
    try {
      expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', charged: PAGE_PRICE })
      expect((await app.entries(anna)).map(({ modelId }) => modelId)).toEqual(['near'])
    } finally {
      await app.db.delete(models).where(eq(models.id, 'near'))
    }
  })

  test('who masks personal data has no page read abroad (S10.758)', async () => {
    const { file } = await scanned(1)
    await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: { maskPersonal: true } } })
    expect((await app.scanOf(anna, file.id)).refusal).toMatch(/на картинке их не скрыть/)
    await expect(app.start(anna, file.id)).rejects.toMatchObject({ status: 409 })
    expect(app.vision.received).toEqual([])
  })

  test('without a model for scans the file says so (S10.759)', async () => {
    const { file } = await scanned(1)
    await app.db.update(models).set({ hidden: true }).where(eq(models.id, 'reader'))
    try {
      expect((await app.scanOf(anna, file.id)).refusal).toMatch(/не подключено/)
    } finally {
      await app.db.update(models).set({ hidden: false }).where(eq(models.id, 'reader'))
    }
  })

  test('a file with a text of its own is no scan', async () => {
    const assistant = await app.makeAssistant(anna)
    const file = await addFileAndWait(anna, assistant.id, 'а.txt', 'Обычный текст')
    expect((await anna.fetch(`/api/scans/${file.id}`)).status).toBe(404)
  })
})

describe('in a chat', () => {
  test('a PDF of pictures becomes a document with a text (S10.760)', async () => {
    const file = await uploadAndWait(anna, 'скан.pdf', pdfOf(1))
    expect(file).toMatchObject({ state: 'failed', scan: { pages: 1, read: 0 } })
    await app.read(anna, file.id)
    const read = await anna.call(filesApi.get, { params: { id: file.id } })
    expect(read).toMatchObject({ state: 'ready', error: null, scan: { pages: 1, read: 1 } })
    expect(read.symbols).toBeGreaterThan(20)
  })

  test('an image that was read has a text too (S10.760)', async () => {
    const file = await uploadAndWait(anna, 'чек.jpg', paper.picture)
    expect(file).toMatchObject({ state: 'ready', scan: null })
    await app.read(anna, file.id)
    expect(await anna.call(filesApi.get, { params: { id: file.id } })).toMatchObject({
      ...{ kind: 'image', state: 'ready', scan: { pages: 1, read: 1 } },
    })
  })
})

test('a scan is stopped with what has been read (S10.761)', async () => {
  const { file } = await scanned(2)
  app.vision.play(reads('Первая'), hangs())
  await app.start(anna, file.id)
  await expect.poll(async () => (await app.scanOf(anna, file.id)).read).toBe(1)
  await anna.call(scansApi.stop, { params: { fileId: file.id } })
  await app.scans.scanQueue.idle()
  expect(await app.scanOf(anna, file.id)).toMatchObject({ state: 'stopped', read: 1, charged: PAGE_PRICE })
  expect(await app.available(anna)).toMatchObject({ held: 0 })
  expect((await fileRow(file.id))?.content).toBe('Первая')
})
