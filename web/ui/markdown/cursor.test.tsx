/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AnswerView, openAnswer } from './testing/answer-view.tsx'

/** The selector of the text cursor, from the stylesheet itself. */
const css = readFileSync('web/ui/markdown/answer.css', 'utf8')
const [, selector = ''] = /so it cannot break a line\. \*\/\n([^{]+)::after \{/.exec(css) ?? []
const marked = () => [...shown.element.querySelectorAll(selector)].map((element) => element.textContent)

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
  ['> - раз\n> - два', 'два'],
])('%j has a single cursor, at its end (S10.656)', (text, last) => {
  shown.show(text, true)
  expect(marked()).toEqual([last])
})

test.each(['```js\nlet x = 1', '| а |\n|---|\n| б |', '- раз\n\n  ```\n  x'])('%j has no cursor', (text) => {
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
