import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { aMessage } from '../testing/a-message.ts'
import { createDeltaThrottle } from './delta-throttle.ts'

const page = { hidden: false }
beforeEach(() => {
  page.hidden = false
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (action: () => void) => setTimeout(action, 16))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const assistant = aMessage('a1', { role: 'assistant', status: 'streaming', content: '' })
const start: AnswerEvent = { type: 'start', user: aMessage('q1'), assistant }
const done = { type: 'done', message: assistant, charged: 1 } as AnswerEvent

function fold() {
  const written: AnswerEvent[] = []
  const { receive, end } = createDeltaThrottle((event) => written.push(event))
  let offset = 0
  const say = (text: string) => {
    offset += text.length
    receive({ type: 'delta', offset, text })
  }
  const texts = () => written.flatMap((event) => (event.type === 'delta' ? event.text : []))
  return { receive, end, say, written, texts }
}

test('however many pieces come, the text grows some thirty times a second', () => {
  const { say, texts } = fold()
  for (let i = 0; i < 100; i++) {
    say('слово ')
    vi.advanceTimersByTime(10)
  }
  expect(texts().length).toBeGreaterThan(20)
  expect(texts().length).toBeLessThanOrEqual(34)
  vi.advanceTimersByTime(300)
  expect(texts().at(-1)).toBe('слово '.repeat(100))
})

test('at the end everything is there at once', () => {
  const { receive, say, written } = fold()
  receive(start)
  say('Длинный ответ, который ещё не показан')
  receive(done)
  expect(written.map(({ type }) => type)).toEqual(['start', 'delta', 'done'])
})

test('on a page that nobody sees the text comes all at once', () => {
  page.hidden = true
  const { say, texts } = fold()
  say('Раз ')
  say('два')
  vi.advanceTimersByTime(600)
  expect(texts()).toEqual(['Раз два'])
})

test('a line that is attached again begins with the stored text', () => {
  const { receive, say, texts } = fold()
  say('Привет, мир')
  vi.advanceTimersByTime(300)
  receive({ ...start, assistant: { ...assistant, content: 'При' } })
  receive({ type: 'delta', offset: 6, text: 'вет' })
  vi.advanceTimersByTime(300)
  expect(texts().at(-1)).toBe('Привет')
})
