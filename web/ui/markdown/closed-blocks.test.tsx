import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type AnswerView, loadParts, openAnswer } from './testing/answer-view.tsx'

/** Blocks that are closed while the answer goes on. */

let shown: AnswerView
const find = (selector: string) => shown.element.querySelector<HTMLElement>(selector)

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => {
  shown = openAnswer()
})
afterEach(() => shown.remove())

const CODE = '```ts\nconst one = 1 // раз\nconst two = 2\n```\n'

test('code is coloured as soon as its block is closed (S10.212)', async () => {
  shown.show(CODE.slice(0, -4), true)
  expect(find('.tok-comment')).toBeNull()
  shown.show(CODE, true)
  await vi.waitFor(() => expect(find('pre')?.querySelectorAll('.tok-number')).toHaveLength(2))
})

test('code in a list item is coloured when it is closed (S10.212)', async () => {
  shown.show('1. Раз:\n\n   ```ts\n   const three = 3\n   ```\n', true)
  await vi.waitFor(() => expect(find('li .tok-number')?.textContent).toBe('3'))
})

test('a formula is drawn as soon as it is closed (S10.212)', async () => {
  shown.show('$$\nE = mc^2\n', true)
  expect(find('.katex')).toBeNull()
  shown.show('$$\nE = mc^2\n$$\n', true)
  await vi.waitFor(() => expect(find('.katex')).not.toBeNull())
})

test('a closed block is rendered once (S10.212)', async () => {
  const start = `${CODE}\n$$\na^2 + b^2\n$$\n\n`
  shown.show(start, true)
  await vi.waitFor(() => expect(find('.tok-number') && find('.katex')).not.toBeNull())
  const closed = [...(find('.answer')?.children ?? [])].slice(0, 2)
  expect(closed).toHaveLength(2)
  const html = closed.map((element) => element.outerHTML)
  const changes: MutationRecord[] = []
  const observer = new MutationObserver((records) => changes.push(...records))
  for (const element of closed)
    observer.observe(element, { subtree: true, childList: true, characterData: true, attributes: true })
  const rest = 'Дальше **текст**, ещё $x$ и\n\n```ts\nconst four = 4\n```\n\nконец.'
  for (let end = 1; end <= rest.length; end += 1) shown.show(start + rest.slice(0, end), true)
  shown.show(start + rest)
  await vi.waitFor(() => expect(shown.element.querySelectorAll('.tok-number')).toHaveLength(3))
  expect([...observer.takeRecords(), ...changes]).toEqual([])
  expect([...(find('.answer')?.children ?? [])].slice(0, 2)).toEqual(closed)
  expect(closed.map((element) => element.outerHTML)).toEqual(html)
})
