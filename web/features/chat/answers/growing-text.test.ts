import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnswerEvent } from '#contract/answers.ts'
import { aMessage } from '../testing/a-message.ts'
import {
  createDeltaThrottle,
  createPacer,
  growLiveText,
  liveTextDropper,
  SPREAD_MS,
  stepMs,
  watchLiveText,
  withLiveText,
} from './growing-text.ts'

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

function startThrottle() {
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

test('any number of chunks is written at most thirty times a second', () => {
  const { say, texts } = startThrottle()
  for (let i = 0; i < 100; i++) {
    say('слово ')
    vi.advanceTimersByTime(10)
  }
  expect(texts().length).toBeGreaterThan(20)
  expect(texts().length).toBeLessThanOrEqual(34)
  vi.advanceTimersByTime(300)
  expect(texts().at(-1)).toBe('слово '.repeat(100))
})

test('the last chunk writes all text at once (S10.460)', () => {
  const { receive, say, texts } = startThrottle()
  say('Начало '.repeat(20))
  receive({ type: 'delta', offset: 145, text: 'конец', last: true })
  expect(texts()).toEqual([`${'Начало '.repeat(20)}конец`])
})

test('slow steps come less often, but ten times a second (S10.421)', () => {
  expect(stepMs([0.8, 1.1])).toBe(30)
  expect(stepMs([3, 4])).toBe(60)
  expect(stepMs([40, 60])).toBe(100)
})

test('a single slow step does not delay the next (S10.421)', () => {
  expect(stepMs([1, 90])).toBe(30)
  expect(stepMs([90, 1])).toBe(30)
})

test('the end of an answer writes all text at once (S10.421)', () => {
  const { receive, say, written } = startThrottle()
  receive(start)
  say('Длинный ответ, который ещё не показан')
  receive(done)
  expect(written.map(({ type }) => type)).toEqual(['start', 'delta', 'done'])
})

test('a hidden page gets the text in a single step', () => {
  page.hidden = true
  const { say, texts } = startThrottle()
  say('Раз ')
  say('два')
  vi.advanceTimersByTime(600)
  expect(texts()).toEqual(['Раз два'])
})

test('a thought is written in the same steps before the text (S10.371)', () => {
  const { receive, written, say } = startThrottle()
  receive(start)
  const long = 'Подумаю об этом. '.repeat(20)
  receive({ type: 'thought', offset: long.length, text: long })
  vi.advanceTimersByTime(60)
  say('Ответ')
  vi.advanceTimersByTime(300)
  const thoughts = written.flatMap((event) => (event.type === 'thought' ? event.text : []))
  expect(thoughts.length).toBeGreaterThan(2)
  expect(thoughts.at(-1)).toBe(long)
  expect(written.at(-1)).toEqual({ type: 'delta', offset: 5, text: 'Ответ' })
})

test('after an attach the thought continues the stored thought', () => {
  const { receive, written } = startThrottle()
  receive({ ...start, assistant: { ...assistant, thought: { text: 'Хм, ', symbols: 0, ms: null } } })
  receive({ type: 'thought', offset: 8, text: 'ясно' })
  receive(done)
  expect(written[1]).toEqual({ type: 'thought', offset: 8, text: 'Хм, ясно' })
})

test('after an attach the text continues the stored text', () => {
  const { receive, say, texts } = startThrottle()
  say('Привет, мир')
  vi.advanceTimersByTime(300)
  receive({ ...start, assistant: { ...assistant, content: 'При' } })
  receive({ type: 'delta', offset: 6, text: 'вет' })
  vi.advanceTimersByTime(300)
  expect(texts().at(-1)).toBe('Привет')
})

const FRAME = 1000 / 60

/** The text shown on each frame when chunks arrive at these times. */
function play(chunks: [at: number, text: string][], frames: number): string[] {
  const pacer = createPacer()
  const waiting = [...chunks]
  return Array.from({ length: frames }, (_, i) => {
    const now = i * FRAME
    while (waiting[0] && waiting[0][0] <= now) {
      const [at, text] = waiting.shift() ?? [0, '']
      pacer.push(text, at)
    }
    return pacer.take(now)
  })
}

test('a large chunk is spread over several frames', () => {
  const seen = play([[0, 'а'.repeat(60)]], 12)
  const lengths = seen.map(({ length }) => length)
  expect(lengths.at(-1)).toBe(60)
  const steps = lengths.slice(1).map((length, i) => length - (lengths[i] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(10)
})

test('text is shown at most 150 ms after it arrived (S10.460)', () => {
  const chunks = Array.from({ length: 40 }, (_, i): [number, string] => [
    i * 50,
    'б'.repeat(i % 7 === 0 ? 5000 : 1 + (i % 5)),
  ])
  const seen = play(chunks, 140)
  let total = 0
  for (const [at, text] of chunks) {
    total += text.length
    const frame = seen.findIndex(({ length }) => length >= total)
    expect(frame * FRAME - at).toBeLessThanOrEqual(SPREAD_MS + 2 * FRAME)
  }
})

test('a steady stream is shown in even steps', () => {
  const chunks = Array.from({ length: 60 }, (_, i): [number, string] => [i * 50, 'в'.repeat(30)])
  const lengths = play(chunks, 150).map(({ length }) => length)
  const steps = lengths.slice(15, 140).map((length, i) => length - (lengths[14 + i] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(5)
  expect(Math.max(...steps)).toBeLessThanOrEqual(15)
})

test('text of a steady stream is shown without a growing delay (S10.460)', () => {
  const chunks = Array.from({ length: 60 }, (_, i): [number, string] => [i * 50, 'г'.repeat(30)])
  const seen = play(chunks, 200)
  const frame = seen.findIndex(({ length }) => length === 60 * 30)
  expect(frame * FRAME - 59 * 50).toBeLessThanOrEqual(50 + 2 * FRAME)
})

test('an emoji is never split', () => {
  for (const seen of play([[0, '👍🏽👩‍💻🇷🇺'.repeat(4)]], 12)) {
    expect(seen).not.toMatch(/[\ud800-\udbff]$/)
    expect(seen).not.toMatch(/\u200d$/)
  }
})

test('takeAll returns all text at once', () => {
  const pacer = createPacer('Начало ')
  pacer.push('и конец', 0)
  expect(pacer.isBehind()).toBe(true)
  expect(pacer.takeAll()).toBe('Начало и конец')
  expect(pacer.isBehind()).toBe(false)
})

const answer = (id: string, content: string) => aMessage(id, { role: 'assistant', status: 'streaming', content })
const delta = (text: string) => ({ type: 'delta', offset: text.length, text }) as const
const thought = (text: string) => ({ type: 'thought', offset: text.length, text }) as const

test('the first words and the first thought belong to the cached thread', () => {
  const empty = answer('first', '')
  expect(growLiveText(empty, delta('Слово'))).toBe(false)
  expect(growLiveText(answer('first', 'Слово'), thought('Мысль'))).toBe(false)
  expect(growLiveText(undefined, delta('Слово'))).toBe(false)
  expect(withLiveText(empty)).toBe(empty)
})

test('new text and thought are added to the message separately (S10.420)', () => {
  const message = { ...answer('grown', 'Раз'), thought: { text: 'Мысль', symbols: 0, ms: null } }
  growLiveText(message, delta('Раз два'))
  growLiveText(message, thought('Мысль дальше'))
  const { content, thought: grown } = withLiveText(message)
  expect([content, grown?.text]).toEqual(['Раз два', 'Мысль дальше'])
})

test('a fetched thread with more text wins (S10.420)', () => {
  growLiveText(answer('ahead', 'Раз'), delta('Раз два'))
  expect(withLiveText(answer('ahead', 'Раз два три')).content).toBe('Раз два три')
})

test('dropping keeps a text that has grown (S10.420)', () => {
  const message = answer('dropped', 'Раз')
  growLiveText(message, delta('Раз два'))
  const drop = liveTextDropper('dropped')
  growLiveText(message, delta('Раз два три'))
  drop()
  expect(withLiveText(message).content).toBe('Раз два три')
  liveTextDropper('dropped')()
  expect(withLiveText(message)).toBe(message)
})

test('only the text of the watched message is reported', () => {
  const onGrowth = vi.fn()
  const stop = watchLiveText('watched', onGrowth)
  growLiveText(answer('other', 'Раз'), delta('Раз два'))
  growLiveText({ ...answer('watched', 'Раз'), thought: { text: 'М', symbols: 0, ms: null } }, thought('Мысль'))
  expect(onGrowth).toHaveBeenCalledTimes(0)
  growLiveText(answer('watched', 'Раз'), delta('Раз два'))
  expect(onGrowth).toHaveBeenCalledTimes(1)
  stop()
  growLiveText(answer('watched', 'Раз'), delta('Раз два три'))
  expect(onGrowth).toHaveBeenCalledTimes(1)
})
