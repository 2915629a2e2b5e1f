import { expect, test } from 'vitest'
import { aModel } from '#web/testing/samples.ts'
import { answerPrices, worthLabel } from './worth-label.ts'

const mini = (exchange: number) => ({ model: 'Мини', exchange })
const text = (symbols: number, answers: { model: string; exchange: number }[], image: number | null) =>
  worthLabel(symbols, { answers, image })?.replace(/\s/g, ' ')

test('symbols are shown as answers and images, rounded down (S10.161, S10.710)', () => {
  expect(text(500_000, [mini(830)], 2000)).toBe('≈ 600 ответов «Мини» или 250 картинок')
  expect(text(2_000_000, [mini(830)], 2000)).toBe('≈ 2 400 ответов «Мини» или 1 000 картинок')
  expect(text(2100, [mini(1000)], 2000)).toBe('≈ 2 ответа «Мини» или 1 картинка')
})

test('an expensive model of the person stands beside the usual model (S10.710)', () => {
  expect(text(500_000, [mini(830), { model: 'Умная', exchange: 7500 }], 2000)).toBe(
    '≈ 600 ответов «Мини», 66 ответов «Умная» или 250 картинок',
  )
})

test('a kind that symbols cannot buy is left out', () => {
  expect(text(1000, [mini(830)], 2000)).toBe('≈ 1 ответ «Мини»')
  expect(text(500, [mini(830)], null)).toBeUndefined()
  expect(text(500_000, [], null)).toBeUndefined()
})

test('the first model is always shown, without repeating it (S10.710)', () => {
  const models = [aModel({ id: 'a', name: 'Мини', inputRate: 1, outputRate: 2 }), aModel({ id: 'b', name: 'Умная' })]
  const costs = [{ modelId: 'b', answer: { low: 1, high: 2 }, exchange: 7500 }]
  expect(answerPrices(models, null, [])).toEqual([{ model: 'Мини', exchange: 4000 }])
  expect(answerPrices(models, 'a', costs)).toEqual([{ model: 'Мини', exchange: 4000 }])
  expect(answerPrices(models, 'b', costs)).toEqual([
    { model: 'Мини', exchange: 4000 },
    { model: 'Умная', exchange: 7500 },
  ])
})
