import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { removeShell } from '#web/lib/shell.ts'
import { newUserId } from '#web/testing/render.tsx'
import { draftKey, drafts } from '../state/drafts.ts'
import { openComposer } from '../testing/open-composer.tsx'

/** The shell of the page with a text that was typed before the scripts ran. */
function typeEarly(text: string, { send = false, caret = text.length } = {}) {
  const shell = document.createElement('div')
  shell.id = 'shell'
  const field = document.createElement('textarea')
  field.value = text
  shell.append(field)
  document.body.append(shell)
  field.setSelectionRange(caret, caret)
  if (send) shell.dataset.send = 'yes'
}

const own = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Сообщение' })

afterEach(removeShell)

test('a text typed before the scripts is kept with its caret (S10.403)', () => {
  typeEarly('Привет', { caret: 2 })
  const { sent } = openComposer()
  expect(own().value).toBe('Привет')
  expect([document.activeElement, own().selectionStart, own().selectionEnd]).toEqual([own(), 2, 2])
  expect(sent).toEqual([])
})

test('an untouched field keeps the stored draft', () => {
  const userId = newUserId()
  drafts().write(draftKey(userId, 't1'), { text: 'Вчерашнее', files: [] })
  typeEarly('', { send: true })
  const { sent } = openComposer({ userId })
  expect(own().value).toBe('Вчерашнее')
  expect(sent).toEqual([])
})

test('a typed text is added to the draft and not sent (S10.403)', () => {
  const userId = newUserId()
  drafts().write(draftKey(userId, 't1'), { text: 'Вчерашнее', files: [] })
  typeEarly('сегодня', { send: true, caret: 0 })
  const { sent } = openComposer({ userId })
  expect(own().value).toBe('Вчерашнее\n\nсегодня')
  expect(own().selectionStart).toBe('Вчерашнее\n\n'.length)
  expect(sent).toEqual([])
})

test('a message sent before the scripts is sent once (S10.403)', () => {
  typeEarly('Привет', { send: true })
  const { sent, change } = openComposer()
  change({ history: [] })
  expect(sent).toEqual([{ text: 'Привет', files: [] }])
  expect(own().value).toBe('')
})
