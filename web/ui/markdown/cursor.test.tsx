// @vitest-environment jsdom
/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AnswerView, openAnswer } from './testing/answer-view.tsx'

/** The selectors of the text cursor, from the stylesheet itself. */
const css = readFileSync('web/ui/markdown/answer.css', 'utf8')
const [, rule = ''] = /so it cannot break a line\. \*\/\n([^{]+)\{/.exec(css) ?? []
const selector = rule.replaceAll('::after', '')

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
])('%j has a single cursor, at its end (S10.656)', (text, last) => {
  shown.show(text, true)
  const marked = [...shown.element.querySelectorAll(selector)].map((element) => element.textContent)
  expect(marked).toEqual([last])
})
