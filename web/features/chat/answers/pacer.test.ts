import { expect, test } from 'vitest'
import { createPacer, SPREAD_MS } from './pacer.ts'

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
