import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { aMessage } from '../testing/a-message.ts'
import { createDeltaThrottle, createPacer, SPREAD_MS } from './delta-throttle.ts'

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

const FRAME = 1000 / 60

/** What is seen on each frame when pieces come at these times. */
function play(pieces: [at: number, text: string][], frames: number): string[] {
  const pacer = createPacer()
  const waiting = [...pieces]
  return Array.from({ length: frames }, (_, i) => {
    const now = i * FRAME
    while (waiting[0] && waiting[0][0] <= now) {
      const [at, text] = waiting.shift() ?? [0, '']
      pacer.push(text, at)
    }
    return pacer.take(now)
  })
}

test('a lump is spread over several frames', () => {
  const seen = play([[0, 'а'.repeat(60)]], 12)
  const lengths = seen.map(({ length }) => length)
  expect(lengths.at(-1)).toBe(60)
  const steps = lengths.slice(1).map((length, i) => length - (lengths[i] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(10)
})

test('nothing is shown later than 150 ms after it came, however much it is', () => {
  const pieces = Array.from({ length: 40 }, (_, i): [number, string] => [
    i * 50,
    'б'.repeat(i % 7 === 0 ? 5000 : 1 + (i % 5)),
  ])
  const seen = play(pieces, 140)
  let total = 0
  for (const [at, text] of pieces) {
    total += text.length
    const frame = seen.findIndex(({ length }) => length >= total)
    expect(frame * FRAME - at).toBeLessThanOrEqual(SPREAD_MS + 2 * FRAME)
  }
})

test('a steady stream is shown in steps of about the same size', () => {
  const pieces = Array.from({ length: 60 }, (_, i): [number, string] => [i * 50, 'в'.repeat(30)])
  const lengths = play(pieces, 150).map(({ length }) => length)
  const steps = lengths.slice(15, 140).map((length, i) => length - (lengths[14 + i] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(5)
  expect(Math.max(...steps)).toBeLessThanOrEqual(15)
})

test('an emoji is never shown by halves', () => {
  for (const seen of play([[0, '👍🏽👩‍💻🇷🇺'.repeat(4)]], 12)) {
    expect(seen).not.toMatch(/[\ud800-\udbff]$/)
    expect(seen).not.toMatch(/\u200d$/)
  }
})

test('all at once when asked', () => {
  const pacer = createPacer('Начало ')
  pacer.push('и конец', 0)
  expect(pacer.isBehind()).toBe(true)
  expect(pacer.takeAll()).toBe('Начало и конец')
  expect(pacer.isBehind()).toBe(false)
})
