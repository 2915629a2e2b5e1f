import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AnswerView, loadParts, openAnswer, waitUntilQuiet } from './testing/answer-view.tsx'
import { attacks } from './testing/attacks.ts'
import { findForbiddenMarkup } from './testing/forbidden-markup.ts'

let shown: AnswerView

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())
afterEach(() => shown.remove())

describe('an answer never creates foreign markup', () => {
  test.each(attacks)('%j', async (attack) => {
    shown = openAnswer()
    shown.show(attack)
    // Colours of code and formulas come a few turns later.
    if (/```|\$|\\[([]/.test(attack)) await waitUntilQuiet(shown)
    expect(findForbiddenMarkup(shown.element)).toEqual([])
  })
})

test('an unfinished answer never creates foreign markup', { timeout: 60_000 }, () => {
  shown = openAnswer()
  for (const attack of attacks) {
    for (let end = 3; end < attack.length; end += 4) {
      shown.show(attack.slice(0, end), true)
      expect(findForbiddenMarkup(shown.element), attack.slice(0, end)).toEqual([])
    }
  }
})

test('HTML is shown as text', () => {
  shown = openAnswer()
  shown.show('Тег <script>alert("x")</script> и <!-- комментарий -->')
  expect(shown.element.textContent).toBe('Тег <script>alert("x")</script> и <!-- комментарий -->')
})

test('the check finds forbidden markup', () => {
  shown = openAnswer()
  shown.element.innerHTML =
    '<p onclick="x" style="a"><a href="javascript:x">1</a><img src="https://a.b"><script></script><a href="data:1">2</a></p>'
  expect(findForbiddenMarkup(shown.element)).toHaveLength(6)
})
