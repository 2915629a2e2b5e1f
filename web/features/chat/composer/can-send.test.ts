import { expect, test } from 'vitest'
import { whyNotSend } from './can-send.ts'

const ready = {
  text: 'Вопрос',
  files: [],
  uploads: [],
  model: { kind: 'text' as const, vision: false },
  modelName: 'Демо',
  isTooLong: false,
}

test('a text is sent, nothing is not', () => {
  expect(whyNotSend(ready)).toBeNull()
  expect(whyNotSend({ ...ready, text: ' \n' })).toBe('')
})

test('a file can be sent without a word', () => {
  expect(whyNotSend({ ...ready, text: '', files: [{ kind: 'document', state: 'ready' }] })).toBeNull()
})

test('a picture is for models that see, and that is said before sending', () => {
  const files = [{ kind: 'image', state: 'ready' } as const]
  expect(whyNotSend({ ...ready, files })).toMatch(/не видит картинок/)
  expect(whyNotSend({ ...ready, uploads: [{ error: null, isImage: true }] })).toMatch(/не видит картинок/)
  expect(whyNotSend({ ...ready, files, model: { kind: 'text', vision: true } })).toBeNull()
})

test('a message waits for its files', () => {
  expect(whyNotSend({ ...ready, uploads: [{ error: null, isImage: false }] })).toMatch(/загружаются/)
  expect(whyNotSend({ ...ready, files: [{ kind: 'document', state: 'indexing' }] })).toMatch(/читаются/)
})

test('a file that failed is to be taken out', () => {
  expect(whyNotSend({ ...ready, uploads: [{ error: 'Нет связи', isImage: false }] })).toMatch(/уберите/)
  expect(whyNotSend({ ...ready, files: [{ kind: 'document', state: 'failed' }] })).toMatch(/Уберите/)
})

test('that a model is gone is said before a word is written', () => {
  expect(whyNotSend({ ...ready, text: '', model: null })).toMatch(/больше недоступна/)
})

test('a text that is too long is told by how much', () => {
  expect(whyNotSend({ ...ready, text: 'а'.repeat(100_002) })).toMatch(/на 2\u00a0символа/)
  expect(whyNotSend({ ...ready, isTooLong: true })).toMatch(/не поместится/)
})

test('who draws is given words alone', () => {
  const draws = { ...ready, model: { kind: 'image' as const, vision: false } }
  expect(whyNotSend(draws)).toBeNull()
  expect(whyNotSend({ ...draws, files: [{ kind: 'document', state: 'ready' }] })).toMatch(/только по описанию/)
})
