import { expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { aChangingModel, aModel } from '#web/testing/samples.ts'
import { blockedText } from './blocked-note.tsx'
import { isSendKey, whyNotSend as whyBlocked } from './send-rules.ts'

const ready = {
  text: 'Вопрос',
  files: [],
  uploads: [],
  model: { kind: 'text' as const, vision: false },
  modelName: 'Демо',
  able: aModel(),
  isTooLong: false,
}

type Context = Parameters<typeof whyBlocked>[0] & { modelName: string; able: Model | null }

function whyNotSend(context: Context): string | null {
  const reason = whyBlocked(context)
  return reason && blockedText({ ...context, reason })
}

test('a text can be sent, an empty message cannot', () => {
  expect(whyNotSend(ready)).toBeNull()
  expect(whyNotSend({ ...ready, text: ' \n' })).toBe('')
})

test('a file can be sent without text', () => {
  expect(whyNotSend({ ...ready, text: '', files: [{ kind: 'document', state: 'ready' }] })).toBeNull()
})

test('an image needs a model with vision, and the reason is shown', () => {
  const files = [{ kind: 'image', state: 'ready' } as const]
  expect(whyNotSend({ ...ready, files })).toMatch(/не видит картинок/)
  expect(whyNotSend({ ...ready, uploads: [{ error: null, isImage: true }] })).toMatch(/не видит картинок/)
  expect(whyNotSend({ ...ready, files, model: { kind: 'text', vision: true } })).toBeNull()
})

test('no other model is advised when no model sees images', () => {
  const files = [{ kind: 'image', state: 'ready' } as const]
  expect(whyNotSend({ ...ready, files, able: null })).toBe(
    'Ни одна из доступных моделей не видит картинок. Уберите картинку.',
  )
})

test('an image is changed only by a model that can (S10.839)', () => {
  const asked = { ...ready, text: '', imageId: 'image-1' }
  expect(whyNotSend(asked)).toBe('Модель «Демо» не меняет картинки. Выберите другую или уберите картинку.')
  expect(whyNotSend({ ...asked, able: null })).toMatch(/Ни одна из доступных моделей не меняет/)
  const { kind, vision, imageSkills } = aChangingModel()
  expect(whyNotSend({ ...asked, text: 'Синий', model: { kind, vision, imageSkills } })).toBeNull()
  const blunt = imageSkills && { ...imageSkills, changes: false }
  expect(whyNotSend({ ...asked, model: { kind, vision, imageSkills: blunt } })).toMatch(/не меняет картинки/)
})

test('a message waits until its files are ready', () => {
  expect(whyNotSend({ ...ready, uploads: [{ error: null, isImage: false }] })).toMatch(/загружаются/)
  expect(whyNotSend({ ...ready, files: [{ kind: 'document', state: 'indexing' }] })).toMatch(/читаются/)
})

test('a failed file has to be removed', () => {
  expect(whyNotSend({ ...ready, uploads: [{ error: 'Нет связи', isImage: false }] })).toMatch(/уберите/)
  expect(whyNotSend({ ...ready, files: [{ kind: 'document', state: 'failed' }] })).toMatch(/Уберите/)
})

test('a scan is read or removed, a read image needs no vision (S10.760)', () => {
  const unread = { pages: 12, read: 0 }
  expect(whyNotSend({ ...ready, files: [{ kind: 'document', state: 'failed', scan: unread }] })).toMatch(/Прочитайте/)
  const read = { kind: 'image', state: 'ready', scan: { pages: 1, read: 1 } } as const
  expect(whyNotSend({ ...ready, files: [read] })).toBeNull()
})

test('a missing model is reported even for an empty message', () => {
  expect(whyNotSend({ ...ready, text: '', model: null })).toMatch(/больше недоступна/)
})

test('a text that is too long shows the excess', () => {
  expect(whyNotSend({ ...ready, text: 'а'.repeat(100_002) })).toMatch(/на 2\u00a0символа/)
  expect(whyNotSend({ ...ready, isTooLong: true })).toMatch(/не поместится/)
})

test('a model that draws takes no files', () => {
  const draws = { ...ready, model: { kind: 'image' as const, vision: false } }
  expect(whyNotSend(draws)).toBeNull()
  expect(whyNotSend({ ...draws, files: [{ kind: 'document', state: 'ready' }] })).toMatch(/только по описанию/)
})

const enter = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 }
const usual = { enterSends: true, isTouch: false }

test('Enter sends and Shift + Enter begins a new line', () => {
  expect(isSendKey(enter, usual)).toBe(true)
  expect(isSendKey({ ...enter, shiftKey: true }, usual)).toBe(false)
})

test('the setting swaps the two keys', () => {
  const swapped = { ...usual, enterSends: false }
  expect(isSendKey(enter, swapped)).toBe(false)
  expect(isSendKey({ ...enter, shiftKey: true }, swapped)).toBe(true)
})

test('on a touch device Enter begins a new line with either setting', () => {
  expect(isSendKey(enter, { enterSends: true, isTouch: true })).toBe(false)
  expect(isSendKey(enter, { enterSends: false, isTouch: true })).toBe(false)
})

test('Enter with Ctrl or ⌘ always sends', () => {
  expect(isSendKey({ ...enter, ctrlKey: true }, { enterSends: false, isTouch: true })).toBe(true)
  expect(isSendKey({ ...enter, metaKey: true }, { enterSends: false, isTouch: false })).toBe(true)
})

test('a word composed by an input method is not sent', () => {
  expect(isSendKey({ ...enter, isComposing: true }, usual)).toBe(false)
  expect(isSendKey({ ...enter, keyCode: 229 }, usual)).toBe(false)
})
