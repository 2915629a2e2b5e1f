import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { holds, scanPages, scans } from '#server/db/schema.ts'
import { makePaper, makeScanPdf } from '#server/files/testing/make-scan.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { endInstance, registerInstance } from '#server/testing/instance.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { reconcile } from '../billing/invariants.ts'
import { createScanQueue } from './queue.ts'
import { PAGE_PRICE, reads, readsWhenLet, startReading } from './testing/reader.ts'

const app = await closeAfterTests(startReading())
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

async function scannedFile(pages: number) {
  const anna = await app.signIn()
  const paper = await makePaper(['Акт'])
  const assistant = await app.makeAssistant(anna)
  const pdf = makeScanPdf(Array.from({ length: pages }, () => paper))
  return { anna, file: await addFileAndWait(anna, assistant.id, 'акт.pdf', pdf) }
}

const activeHolds = (userId: string) => app.db.$count(holds, and(eq(holds.userId, userId), eq(holds.state, 'active')))

test('a killed process leaves its scan to another, which charges nothing twice (S10.762)', async () => {
  const { anna, file } = await scannedFile(3)
  const slow = readsWhenLet('Поздний ответ')
  app.vision.play(reads('Первая'), slow.script, reads('Вторая'), reads('Третья'))
  const instance = await registerInstance(app.db)
  const dead = createScanQueue({ ...app.scans, instance })
  app.scans.scanQueue.wake = dead.wake
  const { wake } = createScanQueue(app.scans)
  await app.start(anna, file.id)
  await slow.isAsked
  expect(await activeHolds(anna.user.id)).toBe(1)
  await endInstance(app.db, instance.id)
  wake()
  await expect.poll(() => app.scanOf(anna, file.id), { timeout: 20_000 }).toMatchObject({ state: 'ready', read: 3 })
  // The former process was only slow: its answer comes when the page is stored already.
  slow.answer()
  await dead.idle()
  expect((await app.entries(anna)).map(({ symbols, note }) => [symbols, note])).toEqual(
    [1, 2, 3].map((page) => [-PAGE_PRICE, `Стр. ${page}`]),
  )
  const pages = await app.db.select().from(scanPages).where(eq(scanPages.fileId, file.id)).orderBy(scanPages.number)
  expect(pages.map(({ text, charged }) => [text, charged])).toEqual([
    ...[
      ['Первая', PAGE_PRICE],
      ['Вторая', PAGE_PRICE],
      ['Третья', PAGE_PRICE],
    ],
  ])
  expect(await activeHolds(anna.user.id)).toBe(0)
})

test('a page that kills its process three times fails alone (S10.762)', async () => {
  const { anna, file } = await scannedFile(2)
  app.vision.play(reads('Страница'))
  const queue = createScanQueue(app.scans)
  app.scans.scanQueue.wake = () => {}
  await app.start(anna, file.id)
  await app.db.update(scans).set({ state: 'working', instance: 'dead-2' }).where(eq(scans.fileId, file.id))
  await app.db
    .update(scanPages)
    .set({ state: 'working', instance: 'dead-2', crashes: 2 })
    .where(eq(scanPages.id, `${file.id}-1`))
  queue.wake()
  await expect.poll(() => app.scanOf(anna, file.id), { timeout: 20_000 }).toMatchObject({ state: 'stopped', read: 1 })
  expect((await app.scanOf(anna, file.id)).failed).toEqual([
    { number: 1, error: expect.stringMatching(/несколько раз прерывалось/) },
  ])
})

test('a stopping server puts the scan back into the queue (S10.762)', async () => {
  const { anna, file } = await scannedFile(2)
  const slow = readsWhenLet('Поздно')
  app.vision.play(slow.script, reads('Первая'), reads('Вторая'))
  const stopping = createScanQueue(app.scans)
  app.scans.scanQueue.wake = stopping.wake
  await app.start(anna, file.id)
  await slow.isAsked
  await stopping.close()
  expect((await app.db.select().from(scans).where(eq(scans.fileId, file.id)))[0]).toMatchObject({
    ...{ state: 'queued', instance: null },
  })
  expect(await activeHolds(anna.user.id)).toBe(0)
  const next = createScanQueue(app.scans)
  next.wake()
  await expect.poll(() => app.scanOf(anna, file.id), { timeout: 20_000 }).toMatchObject({ state: 'ready', read: 2 })
  slow.answer()
  expect(await app.entries(anna)).toHaveLength(2)
})
