// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AnswerView, openAnswer } from './testing/answer-view.tsx'

const marked = () => [...shown.element.querySelectorAll('[data-end]')].map((element) => element.textContent)

let shown: AnswerView
beforeEach(() => {
  shown = openAnswer()
})
afterEach(() => shown.remove())

test.each([
  ['Абзац', 'Абзац'],
  ['- раз\n- два', 'два'],
  ['- раз\n  - внутри\n- два', 'два'],
  ['- раз\n  - внутри', 'внутри'],
  ['- раз\n  - внутри\n  - ещё\n- два\n  - глубже\n    - дно', 'дно'],
  ['- раз\n\n  - внутри\n\n- два', 'два'],
  ['1. раз\n   - внутри\n\n   текст', 'текст'],
  ['> цитата', 'цитата'],
  ['- раз\n\n  > цитата', 'цитата'],
])('%j has a single cursor, at its end (S10.656)', (text, last) => {
  shown.show(text, true)
  expect(marked()).toEqual([last])
})

test.each(['```js\nlet x = 1', '| а |\n|---|\n| б |'])('%j has no cursor', (text) => {
  shown.show(text, true)
  expect(marked()).toEqual([])
})

test('the cursor moves with the text and goes with its end', () => {
  shown.show('Абзац', true)
  shown.show('Абзац\n\n- раз', true)
  expect(marked()).toEqual(['раз'])
  shown.show('Абзац\n\n- раз', false)
  expect(marked()).toEqual([])
})
