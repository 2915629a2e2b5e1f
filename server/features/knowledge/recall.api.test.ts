import { describe, expect, test } from 'vitest'
import { openLog } from '#server/lib/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { fillLibrary, floors, readLibrary, recallOf } from '../../../eval/lib/library.ts'
import { rankByWords } from './rank.ts'

const database = await testDatabase()
const { db } = database
const deps = { providers: { embed: () => null }, hasVectors: false, log: openLog('silent') }

describe.each(['own', 'unseen'] as const)('the %s questions', async (half) => {
  const library = await readLibrary(half)
  const libraryId = await fillLibrary(db, deps, library)
  const sentences = (misses: { question: string }[]) => misses.map(({ question }) => question).join('\n')

  test('are answered by words alone within five passages (S10.770)', async () => {
    expect(library.questions.length).toBeGreaterThanOrEqual(60)
    const { share, misses } = await recallOf(db, library.questions, ({ question }) =>
      rankByWords(db, libraryId, { question }, 5),
    )
    expect(share, sentences(misses)).toBeGreaterThanOrEqual(floors[half].words)
  })

  test('are answered with scripted search words (S10.773)', async () => {
    const { share, misses } = await recallOf(db, library.questions, (asked) => rankByWords(db, libraryId, asked, 5))
    expect(share, sentences(misses)).toBeGreaterThanOrEqual(floors[half].searchWords)
  })
})
