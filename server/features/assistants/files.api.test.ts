import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { assistantsApi, MAX_LIBRARY_BYTES, MAX_LIBRARY_FILES } from '#contract/assistants.ts'
import { fillPath } from '#contract/endpoint.ts'
import { filesApi, MAX_FILE_BYTES } from '#contract/files.ts'
import { filePassages, files } from '#server/db/schema.ts'
import { makePdf } from '#server/files/testing/make-pdf.ts'
import { readWhole } from '#server/storage/storage.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { addFile, addFileAndWait } from './testing/add-file.ts'

const app = await testApp()

const create = async (who: SignedIn) => (await who.call(assistantsApi.create, { body: { name: 'Знаток' } })).id
const filesOf = async (who: SignedIn, id: string) => (await who.call(assistantsApi.get, { params: { id } })).files

test('a file is accepted at once, read later and counted in prices (S1.17)', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const response = await addFile(anna, id, 'правила.txt', 'Отпуск длится 28 дней.')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ name: 'правила.txt', kind: 'document' })
  const ready = await addFileAndWait(anna, id, 'ещё.pdf', makePdf(['Second']))
  expect(ready).toMatchObject({ state: 'ready', progress: 100, error: null, symbols: expect.any(Number) })
  const { symbols } = await anna.call(assistantsApi.get, { params: { id } })
  expect(symbols.passages).toBeGreaterThan(22)
  expect(symbols.passages).toBeLessThan(1200)
})

test('an unreadable file shows the reason and can be retried or removed', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const file = await addFileAndWait(anna, id, 'пустой.pdf', makePdf(['']))
  expect(file).toMatchObject({ state: 'failed', error: expect.any(String) })
  const params = { id, fileId: file.id }
  expect(await anna.call(assistantsApi.retryFile, { params })).toMatchObject({ state: 'uploaded', error: null })
  expect(await anna.call(assistantsApi.removeFile, { params })).toEqual({ id: file.id })
  expect(await filesOf(anna, id)).toEqual([])
})

test('a file that is ready is not read again', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const { id: fileId } = await addFileAndWait(anna, id, 'a.txt', 'Текст')
  await expect(anna.call(assistantsApi.retryFile, { params: { id, fileId } })).rejects.toMatchObject({ status: 409 })
})

test('removing a file deletes its bytes and its passages', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const { id: fileId } = await addFileAndWait(anna, id, 'a.txt', 'Текст')
  const [row] = await app.db.select().from(files).where(eq(files.id, fileId))
  expect(await app.db.$count(filePassages, eq(filePassages.fileId, fileId))).toBe(1)
  await anna.call(assistantsApi.removeFile, { params: { id, fileId } })
  expect(await app.db.$count(filePassages, eq(filePassages.fileId, fileId))).toBe(0)
  expect(await readWhole(app.files.storage, row?.storageKey ?? '')).toBeNull()
  await expect(anna.call(assistantsApi.removeFile, { params: { id, fileId } })).rejects.toMatchObject({ status: 404 })
})

test('an assistant’s file is not found in other assistants or chats', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const other = await create(anna)
  const { id: fileId } = await addFileAndWait(anna, id, 'a.txt', 'Текст')
  const asOther = { params: { id: other, fileId } }
  await expect(anna.call(assistantsApi.removeFile, asOther)).rejects.toMatchObject({ status: 404 })
  await expect(anna.call(filesApi.delete, { params: { id: fileId } })).rejects.toMatchObject({ status: 409 })
})

test('programs and files above 20 MB are rejected without traces', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const rejections = await Promise.all([
    addFile(anna, id, 'a.pdf', Buffer.from('MZ\x90\0\x03\0', 'latin1')),
    addFile(anna, id, 'big.txt', 'а'.repeat(MAX_FILE_BYTES / 2 + 10)),
    anna.post(fillPath(assistantsApi.addFile.path, { id }), {}),
  ])
  for (const response of rejections) {
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/[а-яё]/) })
  }
  expect(rejections[1]?.status).toBe(413)
  expect(await filesOf(anna, id)).toEqual([])
})

test('parallel uploads stop at the assistant’s limit of files', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => addFile(anna, id, `${i}.txt`, `Файл номер ${i}`)),
  )
  const taken = answers.filter(({ ok }) => ok).length
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThanOrEqual(MAX_LIBRARY_FILES)
  expect(await filesOf(anna, id)).toHaveLength(taken)
  for (const answer of answers.filter(({ ok }) => !ok)) expect([409, 429]).toContain(answer.status)
  while ((await filesOf(anna, id)).length < MAX_LIBRARY_FILES) await addFile(anna, id, 'ещё.txt', 'Ещё')
  const full = await addFile(anna, id, 'лишний.txt', 'Лишний')
  expect(await full.json()).toMatchObject({ status: 409, message: expect.stringContaining('20 файлов') })
})

test('all files of a user’s assistants may have 500 MB together', async () => {
  const anna = await app.signIn()
  const id = await create(anna)
  const { id: fileId } = await addFileAndWait(anna, id, 'a.txt', 'Текст')
  await app.db
    .update(files)
    .set({ bytes: MAX_LIBRARY_BYTES - 5 })
    .where(eq(files.id, fileId))
  const response = await addFile(anna, await create(anna), 'b.txt', 'Больше пяти байт')
  expect(await response.json()).toMatchObject({ status: 413, message: expect.stringContaining('500 МБ') })
})
