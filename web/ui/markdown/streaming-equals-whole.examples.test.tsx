// @vitest-environment jsdom
import '#web/testing/setup.ts'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AnswerView, htmlOf, loadParts, openAnswer, waitUntilQuiet } from './testing/answer-view.tsx'
import { answers } from './testing/answers.ts'

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())

let open: AnswerView[] = []
afterEach(() => {
  for (const shown of open) shown.remove()
  open = []
})

function openOne(): AnswerView {
  const shown = openAnswer()
  open.push(shown)
  return shown
}

/** Shows a text in chunks that end at the given offsets, then as finished. */
function stream(shown: AnswerView, text: string, ends: readonly number[]) {
  for (const end of ends) shown.show(text.slice(0, end), true)
  shown.show(text, true)
  shown.show(text, false)
}

/** Colours may come later than the text, so the comparison is repeated until it holds. */
async function expectEqual(streamed: AnswerView, whole: AnswerView) {
  await Promise.all([waitUntilQuiet(streamed), waitUntilQuiet(whole)])
  await vi.waitFor(() => expect(htmlOf(streamed)).toBe(htmlOf(whole)), { timeout: 30_000, interval: 50 })
}

const names = Object.keys(answers)
const chunkEndsOf = (text: string) =>
  fc.uniqueArray(fc.nat(text.length), { maxLength: 60 }).map((ends) => ends.toSorted((a, b) => a - b))

test.each(names)('«%s» looks the same in random chunks and as a whole', async (name) => {
  const text = answers[name] ?? ''
  const whole = openOne()
  whole.show(text)
  const property = fc.asyncProperty(chunkEndsOf(text), async (ends) => {
    const streamed = openOne()
    stream(streamed, text, ends)
    await expectEqual(streamed, whole)
    streamed.remove()
  })
  await fc.assert(property, { numRuns: 3, endOnFailure: true })
})

test('an answer that came by characters looks the same as whole', async () => {
  const text = answers.tight ?? ''
  const [whole, streamed] = [openOne(), openOne()]
  whole.show(text)
  stream(
    streamed,
    text,
    Array.from(text, (_, i) => i),
  )
  await expectEqual(streamed, whole)
})

test('a continued answer looks the same as whole', async () => {
  const text = answers.lateDefinitions ?? ''
  const [whole, streamed] = [openOne(), openOne()]
  whole.show(text)
  streamed.show(text.slice(0, 160), true)
  streamed.show(text.slice(0, 160), false)
  stream(streamed, text, [170, 200, 260])
  await expectEqual(streamed, whole)
})

test('a finished block keeps its elements while the text goes on', () => {
  const shown = openOne()
  shown.show('# Первый\n\nВторой **абзац**\n\n- пункт\n- ещё\n\n', true)
  const before = [...shown.element.querySelectorAll('h3, p, strong')]
  shown.show('# Первый\n\nВторой **абзац**\n\n- пункт\n- ещё\n\n```js\nconst a = 1', true)
  shown.show('# Первый\n\nВторой **абзац**\n\n- пункт\n- ещё\n\n```js\nconst a = 1\n```\n\nДальше', false)
  const after = [...shown.element.querySelectorAll('h3, p, strong')]
  expect(before).toHaveLength(3)
  expect(before.every((element, i) => element === after[i])).toBe(true)
})

test('a code block keeps its element from start to end', () => {
  const shown = openOne()
  shown.show('```js\n', true)
  const block = shown.element.querySelector('pre')
  shown.show('```js\nconst a = 1\n', true)
  shown.show('```js\nconst a = 1\n```\n\nи ещё', true)
  expect(shown.element.querySelector('pre')).toBe(block)
  expect(block?.textContent).toBe('const a = 1')
})

test('code is coloured and formulas are drawn in the end', async () => {
  const shown = openOne()
  stream(shown, `${answers.code}\n\n${answers.formulas}`, [10, 200, 900])
  await vi.waitFor(() => expect(shown.element.querySelector('.tok-keyword')?.textContent).toBe('export'))
  await vi.waitFor(() => expect(shown.element.querySelectorAll('.katex')).toHaveLength(9))
  expect(shown.element.querySelector('.formula-source')).toBeNull()
})
