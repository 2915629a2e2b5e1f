import { expect, test } from 'vitest'
import { sends, whyNotSend } from './send-rules.ts'

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

const enter = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 }
const usual = { enterSends: true, isTouch: false }

test('Enter sends and Shift + Enter breaks the line', () => {
  expect(sends(enter, usual)).toBe(true)
  expect(sends({ ...enter, shiftKey: true }, usual)).toBe(false)
})

test('the setting swaps them', () => {
  const swapped = { ...usual, enterSends: false }
  expect(sends(enter, swapped)).toBe(false)
  expect(sends({ ...enter, shiftKey: true }, swapped)).toBe(true)
})

test('on a phone Enter breaks the line, whatever the setting', () => {
  expect(sends(enter, { enterSends: true, isTouch: true })).toBe(false)
  expect(sends(enter, { enterSends: false, isTouch: true })).toBe(false)
})

test('with Ctrl or ⌘ it always sends', () => {
  expect(sends({ ...enter, ctrlKey: true }, { enterSends: false, isTouch: true })).toBe(true)
  expect(sends({ ...enter, metaKey: true }, { enterSends: false, isTouch: false })).toBe(true)
})

test('a word that is being composed is not sent', () => {
  expect(sends({ ...enter, isComposing: true }, usual)).toBe(false)
  expect(sends({ ...enter, keyCode: 229 }, usual)).toBe(false)
})
