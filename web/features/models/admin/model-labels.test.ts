import { expect, test } from 'vitest'
import { ModelDraft } from '#contract/models-admin.ts'
import { describeProvider, formatRate, shortName, shutdownLabel, suggestId } from './model-labels.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('equal rates are shown once, different rates separately', () => {
  expect(formatRate({ inputRate: 2.5, outputRate: 2.5 })).toBe('×2,5')
  expect(formatRate({ inputRate: 1, outputRate: 4 })).toBe('×1 / ×4')
})

test('a leaving model shows its day, a removed model says so', () => {
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
  ['gpt://b1g0abc/yandexgpt/latest', 'yandexgpt'],
  ['gpt://b1g0abc/yandexgpt/rc', 'yandexgpt-rc'],
])('an id is suggested for %s', (providerModel, id) => {
  expect(suggestId(providerModel)).toBe(id)
  const draft = { id: suggestId(providerModel), name: 'М', provider: 'p', providerModel }
  expect(ModelDraft.safeParse(draft).success).toBe(true)
})

test('a short name is the last meaningful part', () => {
  expect(shortName('vendor/GigaChat-2')).toBe('GigaChat-2')
  expect(shortName('gpt://b1g0abc/YandexGPT/latest')).toBe('YandexGPT')
  expect(shortName('latest')).toBe('latest')
})

test('kinds that the page does not know have their own names (S10.796)', () => {
  const newer = { kind: 'telepathy', modelKinds: ['text', 'dream'] } as unknown as Parameters<
    typeof describeProvider
  >[0]
  expect(describeProvider(newer)).toBe('Telepathy. Модели: текст, dream.')
})

test('a provider shows its kind and its models', () => {
  expect(describeProvider({ kind: 'anthropic', modelKinds: ['text'] })).toBe('Anthropic. Модели: текст.')
  expect(describeProvider({ kind: 'demo', modelKinds: ['text', 'image'] })).toBe(
    'Встроенная модель. Модели: текст, картинки.',
  )
})
