import { expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { textModels } from '#web/features/models/queries.ts'
import { aModel } from '#web/testing/samples.ts'
import { askableModels, defaultModel, findThreadModel } from './model-labels.ts'
import { formatRate, rateSentence } from './model-traits.ts'

const model = (id: string, change: Partial<Model> = {}) =>
  aModel({ id, name: `Модель ${id}`, outputRate: 1, contextSymbols: null, ...change })
const models = [model('a'), model('b'), model('secret', { hidden: true }), model('draws', { kind: 'image' })]

test('hidden models and models that draw are not text models', () => {
  expect(textModels(models).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('models that draw are offered after the text models', () => {
  expect(askableModels(models).map(({ id }) => id)).toEqual(['a', 'b', 'draws'])
  expect(findThreadModel(models, { id: 'draws', name: 'x' }).model?.id).toBe('draws')
  expect(formatRate(model('draws', { kind: 'image', imagePrice: 2000 }))).toBe('2\u202f000')
})

test('a rate is a multiplier, and different rates are both shown', () => {
  expect(formatRate(model('a', { inputRate: 2.5, outputRate: 2.5 }))).toBe('×2,5')
  expect(formatRate(model('a', { outputRate: 2.5 }))).toBe('×1 → ×2,5')
})

test('the rate of paid thoughts is shown', () => {
  expect(rateSentence(model('a'))).toBe('Коэффициент 1')
  expect(rateSentence(model('a', { thoughtRate: 0.5 }))).toBe('Коэффициент вопроса 1, ответа 1, размышлений 0,5')
})

test('a hidden or deleted model of an old chat cannot be used', () => {
  expect(findThreadModel(models, { id: 'secret', name: 'Старая' })).toEqual({ model: null, name: 'Старая' })
  expect(findThreadModel(models, { id: 'gone', name: 'Исчезла' })).toEqual({ model: null, name: 'Исчезла' })
  expect(findThreadModel(models, null).model).toBeNull()
})

test('a new chat starts with the chosen model or the first model', () => {
  expect(defaultModel(models, 'b').model?.id).toBe('b')
  expect(defaultModel(models, 'secret').model?.id).toBe('a')
  expect(defaultModel(models, null).model?.id).toBe('a')
  expect(defaultModel([], null)).toEqual({ model: null, name: 'Нет моделей' })
})
