import { expect, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { fillLibrary, readLibrary, recallOf } from '../../../eval/lib/library.ts'
import { rankByWords } from './rank.ts'

const database = await testDatabase()
const library = await readLibrary()
const deps = { providers: { embed: () => null }, hasVectors: false, log: openLog('silent') }
const assistantId = await fillLibrary(database.db, deps, library)

test('words alone answer nine of ten questions within five passages', async () => {
  expect(library.questions.length).toBeGreaterThanOrEqual(64)
  const { share, misses } = await recallOf(database.db, library.questions, (question) =>
    rankByWords(database.db, assistantId, question, 5),
  )
  expect(share, misses.map(({ question }) => question).join('\n')).toBeGreaterThanOrEqual(0.9)
})
