import { expect, test } from 'vitest'
import { ModelDraft } from '#contract/models-admin.ts'
import { rateWords, shutdownWords, suggestId } from './model-words.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('one rate is said once, two are said apart', () => {
  expect(rateWords({ inputRate: 2.5, outputRate: 2.5 })).toBe('×2,5')
  expect(rateWords({ inputRate: 1, outputRate: 4 })).toBe('×1 / ×4')
})

test('a model that leaves says when, and one that has left says so', () => {
  const now = new Date(2026, 5, 15).getTime()
  expect(plain(shutdownWords('2027-01-14', now))).toBe('Модель отключат 14 января 2027')
  expect(plain(shutdownWords('2026-01-14T10:00:00Z', now))).toBe('Модель отключили 14 января 2026')
  expect(shutdownWords('скоро', now)).toBe('Модель отключат: скоро')
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
