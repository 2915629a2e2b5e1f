import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { fillLibrary, type Library, readLibrary, recallOf } from '../../../eval/lib/library.ts'
import { rankByWords } from './rank.ts'

let database: TestDatabase
let library: Library
let assistantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  library = await readLibrary()
  const deps = { providers: { embed: () => null }, hasVectors: false, log: openLog('silent') }
  assistantId = await fillLibrary(database.db, deps, library)
})
afterAll(() => database.close())

test('words alone answer nine of ten questions within five passages', async () => {
  expect(library.questions.length).toBeGreaterThanOrEqual(64)
  const { share, misses } = await recallOf(database.db, library.questions, (question) =>
    rankByWords(database.db, assistantId, question, 5),
  )
  expect(share, misses.map(({ question }) => question).join('\n')).toBeGreaterThanOrEqual(0.9)
})
