import { expect, test } from 'vitest'
import { contentLines } from '#server/lib/content.ts'
import { testDatabase } from '#server/testing/database.ts'
import { readSynonyms, synonymsOf, toSynonyms } from './synonyms.ts'
import { termsOf } from './terms.ts'
import { toVocabulary } from './vocabulary.ts'

const { db } = await testDatabase()
const stems = (text: string) => text.split(' ')

test('an expression counts when the question has all its words (S10.795)', async () => {
  const synonyms = await toSynonyms(db, ['детский сад, дошкольное образование', 'сад, дача'])
  expect(synonymsOf(synonyms, ['детск'], new Set(stems('детск сад')))).toEqual([['дошкольн', 'образован']])
  expect(synonymsOf(synonyms, ['детск'], new Set(stems('детск лагер')))).toEqual([])
  expect(synonymsOf(synonyms, ['сад'], new Set(['сад']))).toEqual([['дач']])
})

test('a word of a question gets what the files write for it (S10.795)', async () => {
  const vocabulary = await toVocabulary(stems('воздушн судн полет'))
  const [plane] = await termsOf(db, { question: 'самолёт' }, vocabulary)
  expect(plane).toMatchObject({ isKnown: false, synonyms: [['воздушн', 'судн']], fixed: [] })
  const [misspelt] = await termsOf(db, { question: 'самалёт' }, vocabulary)
  expect(misspelt?.synonyms).toEqual([['воздушн', 'судн']])
})

test('search words of a model get no synonyms (S10.795)', async () => {
  const vocabulary = await toVocabulary(stems('воздушн судн билет'))
  const [, written] = await termsOf(db, { question: 'билет', searchWords: 'самолёт' }, vocabulary)
  expect(written).toMatchObject({ exact: ['самолет'], synonyms: [] })
})

test('every line has two phrases or more, each once (S10.795)', async () => {
  const lines = contentLines('search/everyday-words.txt')
  expect(lines.length).toBeGreaterThan(500)
  for (const line of lines) {
    const phrases = line.split(', ')
    expect(phrases.length, line).toBeGreaterThan(1)
    expect(new Set(phrases).size, line).toBe(phrases.length)
    expect(line, 'lower case, Russian letters').toMatch(/^[а-яё, -]+$/)
  }
  expect((await readSynonyms(db)).phrases.size).toBeGreaterThan(1000)
})
