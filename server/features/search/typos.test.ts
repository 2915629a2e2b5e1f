import { expect, test } from 'vitest'
import { fixesOf, slips } from './typos.ts'

test.each([
  ['договор', 'договор', 0],
  ['дагавор', 'договор', 1],
  ['догвоор', 'договор', 1],
  ['договр', 'договор', 1],
  ['счот', 'счет', 0.5],
  ['кот', 'кит', 1],
  ['', 'год', 3],
])('from «%s» to «%s» it is %d slips', (a, b, far) => {
  expect(slips(a, b)).toBe(far)
  expect(slips(b, a)).toBe(far)
})

const known = ['договор', 'разговор', 'программ', 'молок', 'год', 'документ']

test('the nearest known words are meant, and short words stand for themselves', () => {
  expect(fixesOf('дагавор', known, false)).toEqual(['договор'])
  expect(fixesOf('програм', known, false)).toEqual(['программ'])
  expect(fixesOf('гад', known, false)).toEqual([])
  expect(fixesOf('бегемот', known, false)).toEqual([])
})

test('a word that is still being typed may be misspelt already', () => {
  expect(fixesOf('дакум', known, true)).toEqual(['документ'])
  expect(fixesOf('дакум', known, false)).toEqual([])
})
