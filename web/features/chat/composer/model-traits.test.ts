import { expect, test } from 'vitest'
import { aModel } from '#web/testing/samples.ts'
import { compareCost, traitsOf } from './model-traits.ts'

const usual = aModel({ inputRate: 1, outputRate: 1 })
const rated = (rate: number) => aModel({ inputRate: rate, outputRate: rate })

test.each([
  [1, null],
  [1.02, 'цена как у обычной'],
  [1.2, 'немного дороже обычной'],
  [1.5, 'в полтора раза дороже обычной'],
  [2, 'вдвое дороже обычной'],
  [2.5, 'в 2,5 раза дороже обычной'],
  [3.1, 'втрое дороже обычной'],
  [4, 'вчетверо дороже обычной'],
  [5.2, 'в 5 раз дороже обычной'],
  [12, 'в 12 раз дороже обычной'],
  [0.5, 'вдвое дешевле обычной'],
  [0.1, 'в 10 раз дешевле обычной'],
  [0, 'бесплатно'],
])('a model at the rate %d is: %s', (rate, label) => {
  expect(compareCost(rated(rate), usual)).toBe(label)
})

test('question and answer count alike: ×2 → ×3 costs 2,5 times more', () => {
  expect(compareCost(aModel({ inputRate: 2, outputRate: 3 }), usual)).toBe('в 2,5 раза дороже обычной')
})

test('prices per image and free usual models are not compared', () => {
  expect(compareCost(aModel({ kind: 'image' }), usual)).toBeNull()
  expect(compareCost(usual, rated(0))).toBeNull()
  expect(compareCost(usual, null)).toBeNull()
})

test('the abilities of a model come from its fields', () => {
  expect(traitsOf(aModel({ contextSymbols: 100_000 }))).toEqual([])
  expect(traitsOf(aModel({ vision: true, contextSymbols: 400_000 }))).toEqual(['sees', 'long'])
  expect(traitsOf(aModel({ kind: 'image', contextSymbols: null }))).toEqual(['draws'])
})
