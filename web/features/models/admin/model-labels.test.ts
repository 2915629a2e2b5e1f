import { expect, test } from 'vitest'
import { ModelDraft } from '#contract/models-admin.ts'
import { formatRate, shutdownLabel, suggestId } from './model-labels.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('equal rates are shown once, different ones separately', () => {
  expect(formatRate({ inputRate: 2.5, outputRate: 2.5 })).toBe('×2,5')
  expect(formatRate({ inputRate: 1, outputRate: 4 })).toBe('×1 / ×4')
})

test('a model that leaves says when, and one that has left says so', () => {
  const now = new Date(2026, 5, 15).getTime()
  expect(plain(shutdownLabel('2027-01-14', now))).toBe('Модель отключат 14 января 2027')
  expect(plain(shutdownLabel('2026-01-14T10:00:00Z', now))).toBe('Модель отключили 14 января 2026')
  expect(shutdownLabel('скоро', now)).toBe('Модель отключат: скоро')
})

test.each([
  ['gpt-4.1-mini', 'gpt-4.1-mini'],
  ['openai/GPT-4.1 mini', 'gpt-4.1-mini'],
  ['llama3:8b', 'llama3-8b'],
  ['vendor/Модель 2', '2'],
])('a name of our own is made of %s', (providerModel, id) => {
  expect(suggestId(providerModel)).toBe(id)
  const draft = { id: suggestId(providerModel), name: 'М', provider: 'p', providerModel }
  expect(ModelDraft.safeParse(draft).success).toBe(true)
})
