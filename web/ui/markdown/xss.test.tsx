// @vitest-environment jsdom
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AnswerView, loadParts, openAnswer, waitUntilQuiet } from './testing/answer-view.tsx'
import { attacks } from './testing/attacks.ts'
import { findForbiddenMarkup } from './testing/forbidden-markup.ts'

let shown: AnswerView

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())
afterEach(() => shown.remove())

describe('nothing an answer says becomes an element, an attribute or an address that is not ours', () => {
  test.each(attacks)('%j', async (attack) => {
    shown = openAnswer()
    shown.show(attack)
    // Colours of code and formulas come a few turns later.
    if (/```|\$|\\[([]/.test(attack)) await waitUntilQuiet(shown)
    expect(findForbiddenMarkup(shown.element)).toEqual([])
  })
})

test('nor does half of it, while it is being written', { timeout: 60_000 }, () => {
  shown = openAnswer()
  for (const attack of attacks) {
    for (let end = 3; end < attack.length; end += 4) {
      shown.show(attack.slice(0, end), true)
      expect(findForbiddenMarkup(shown.element), attack.slice(0, end)).toEqual([])
    }
  }
})

test('what was HTML can be read as text', () => {
  shown = openAnswer()
  shown.show('Тег <script>alert("x")</script> и <!-- комментарий -->')
  expect(shown.element.textContent).toBe('Тег <script>alert("x")</script> и <!-- комментарий -->')
})

test('the look-out sees what it looks for', () => {
  shown = openAnswer()
  shown.element.innerHTML =
    '<p onclick="x" style="a"><a href="javascript:x">1</a><img src="https://a.b"><script></script><a href="data:1">2</a></p>'
  expect(findForbiddenMarkup(shown.element)).toHaveLength(6)
})
