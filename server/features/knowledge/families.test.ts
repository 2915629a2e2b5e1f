import { expect, test } from 'vitest'
import { familyOf, isCompoundOf } from './families.ts'
import { correctionsOf, distantRelativesOf, relativesOf, toVocabulary } from './vocabulary.ts'

/** Stems as the dictionary of Postgres makes them. */
test.each([
  ['договор', 'договорн'],
  ['учител', 'учительниц'],
  ['аренд', 'арендатор'],
  ['строительств', 'строит'],
  ['наследств', 'наследник'],
  ['усынов', 'усыновлен'],
  ['школ', 'школьник'],
])('«%s» and «%s» have one root (S10.771)', (one, other) => {
  const [a, b] = [familyOf(one), familyOf(other)]
  expect(a?.root === b?.root || (a?.core !== null && a?.core === b?.core)).toBe(true)
})

test.each([
  ['дом', 'дым'],
  ['рук', 'руд'],
  ['кот', 'код'],
])('«%s» and «%s» are different words (S10.771)', (one, other) => {
  expect(familyOf(one)?.root).not.toBe(familyOf(other)?.root)
})

test('a word with a digit or of another alphabet has no family (S10.771)', () => {
  expect(familyOf('т24')).toBeNull()
  expect(familyOf('server')).toBeNull()
})

test('words with another prefix are distant relatives (S10.771)', async () => {
  const vocabulary = await toVocabulary(['оплат', 'выплат', 'доплат', 'погод'])
  expect(distantRelativesOf(vocabulary, ['оплат'])).toEqual(expect.arrayContaining(['выплат', 'доплат']))
  expect(distantRelativesOf(vocabulary, ['оплат'])).not.toContain('погод')
  expect(relativesOf(vocabulary, ['оплат'])).not.toContain('погод')
})

test('a compound is found by its last part (S10.771)', async () => {
  expect(isCompoundOf('авиабилет', 'билет')).toBe(true)
  expect(isCompoundOf('водоснабжен', 'снабжен')).toBe(true)
  expect(isCompoundOf('перебор', 'бор')).toBe(false)
  expect(distantRelativesOf(await toVocabulary(['авиабилет', 'пол']), ['билет'])).toEqual(['авиабилет'])
})

test('a misspelt word becomes the nearest known one (S10.772)', async () => {
  const vocabulary = await toVocabulary(['гарант', 'пенси', 'перепланировк', 'аэропорт', 'договор'])
  expect(correctionsOf(vocabulary, 'пирипланировк')).toEqual(['перепланировк'])
  expect(correctionsOf(vocabulary, 'аэрапорт')).toEqual(['аэропорт'])
  expect(correctionsOf(vocabulary, 'дагавор')).toEqual(['договор'])
  expect(correctionsOf(vocabulary, 'кот')).toEqual([])
  expect(correctionsOf(vocabulary, 'велосипед')).toEqual([])
  expect(correctionsOf(vocabulary, 'пеговор')).toEqual([])
})
