import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { files, fileWords } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { MAX_FILE_WORDS, MAX_LIBRARY_WORDS, readVocabulary, storeWords } from './stored-words.ts'
import { insertAssistant } from './testing/insert-file.ts'
import { bytesOf, hasWord, toVocabulary } from './vocabulary.ts'

const app = await testApp()
const anna = await app.signIn()

async function aReadyFile(libraryId: string, id = newId()): Promise<string> {
  const row = {
    id,
    libraryId,
    userId: anna.user.id,
    kind: 'document',
    name: 'a',
    mime: 'text/plain',
    bytes: 1,
  } as const
  await app.db.insert(files).values({ ...row, storageKey: `uploads/${id}`, state: 'ready' })
  return id
}

const letters = 'абвгдежзик'
const wordOf = (n: number) => `сл${[...String(n)].map((digit) => letters[Number(digit)]).join('')}`
const manyWords = (from: number, count: number) => Array.from({ length: count }, (_, n) => wordOf(from + n))

test('files and libraries have no more words than memory allows (S10.1263)', async () => {
  const libraryId = await insertAssistant(app, anna.user.id)
  const count = MAX_LIBRARY_WORDS / MAX_FILE_WORDS + 1
  for (let n = 0; n < count; n++)
    await storeWords(app.db, await aReadyFile(libraryId, `${n}`), manyWords(n * 60_000, 60_000))
  const [stored] = await app.db.select().from(fileWords).where(eq(fileWords.fileId, '0'))
  expect(stored?.words).toHaveLength(MAX_FILE_WORDS)
  const vocabulary = await readVocabulary(app.db, libraryId)
  expect(vocabulary.from.length - 1).toBe(MAX_LIBRARY_WORDS)
  expect(hasWord(vocabulary, wordOf(180_001))).toBe(true)
  expect(hasWord(vocabulary, wordOf((count - 1) * 60_000))).toBe(false)
  expect(await readVocabulary(app.db, libraryId)).toBe(vocabulary)
})

test('a word takes less than a hundred bytes (S10.1263)', async () => {
  const vocabulary = await toVocabulary(manyWords(100_000, 50_000))
  expect(bytesOf(vocabulary)).toBeLessThan(50_000 * 100)
  const objects = Object.values(vocabulary).flatMap((part) =>
    part instanceof Uint32Array ? [part] : Object.values(part),
  )
  expect(objects.filter((part) => part instanceof Set || part instanceof Map)).toEqual([])
})
