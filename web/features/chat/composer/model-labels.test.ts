import { expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { askableModels, chooseModel, formatRate, textModels, usualModel } from './model-labels.ts'

const model = (id: string, change: Partial<Model> = {}): Model => ({
  id,
  name: `Модель ${id}`,
  description: '',
  kind: 'text',
  inputRate: 1,
  outputRate: 1,
  imagePrice: null,
  minutePrice: null,
  contextSymbols: null,
  maxOutputSymbols: null,
  vision: false,
  hidden: false,
  canUseWithAssistant: true,
  position: 0,
  ...change,
})
const models = [model('a'), model('b'), model('secret', { hidden: true }), model('draws', { kind: 'image' })]

test('one talks with models that are seen and speak', () => {
  expect(textModels(models).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('one that draws can be asked too, after those that speak', () => {
  expect(askableModels(models).map(({ id }) => id)).toEqual(['a', 'b', 'draws'])
  expect(chooseModel(models, { id: 'draws', name: 'x' }).model?.id).toBe('draws')
  expect(formatRate(model('draws', { kind: 'image', imagePrice: 2000 }))).toBe('2\u202f000')
})

test('a rate is written as a multiplier, both when they differ', () => {
  expect(formatRate(model('a', { inputRate: 2.5, outputRate: 2.5 }))).toBe('×2,5')
  expect(formatRate(model('a', { outputRate: 2.5 }))).toBe('×1 → ×2,5')
})

test('the hidden or removed model of an old thread is named but cannot be used', () => {
  expect(chooseModel(models, { id: 'secret', name: 'Старая' })).toEqual({ model: null, name: 'Старая' })
  expect(chooseModel(models, { id: 'gone', name: 'Исчезла' })).toEqual({ model: null, name: 'Исчезла' })
  expect(chooseModel(models, null).model).toBeNull()
})

test('a new chat begins with the model of the settings, or the first', () => {
  expect(usualModel(models, 'b').model?.id).toBe('b')
  expect(usualModel(models, 'secret').model?.id).toBe('a')
  expect(usualModel(models, null).model?.id).toBe('a')
  expect(usualModel([], null)).toEqual({ model: null, name: 'Нет моделей' })
})
