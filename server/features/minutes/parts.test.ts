import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '#server/testing/property-seed.ts'
import type { SpokenLine } from '../transcriptions/spoken-lines.ts'
import { cutParts, hashOf, sourceOf } from './parts.ts'

const line = (second: number | null, text: string, speaker: string | null = null): SpokenLine => ({
  second,
  speaker,
  text,
})
/** Without white space, which cutting may change. */
const wordsOf = (lines: readonly { text: string }[]) =>
  lines
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, '')

describe('cutting a recording', () => {
  test('a short recording is one part with seconds and speakers (S10.800)', () => {
    const [part, ...more] = cutParts(
      [line(0.4, 'Начнём.', 'Анна'), line(3.9, 'С договора.', 'Анна'), line(7, 'Согласен.', 'Борис')],
      1000,
    )
    expect(more).toEqual([])
    expect(part?.text).toBe('[0] Анна: Начнём.\n[3] С договора.\n[7] Борис: Согласен.')
    expect(part?.until).toBeNull()
  })

  test('a long recording is cut between lines into even parts (S10.800)', () => {
    const lines = Array.from({ length: 100 }, (_, i) => line(i * 5, `Строка номер ${i} о том, что решили сделать.`))
    const parts = cutParts(lines, 1500)
    const sizes = parts.map(({ text }) => text.length)
    expect(parts.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1500)
    expect(Math.min(...sizes)).toBeGreaterThan(Math.max(...sizes) / 2)
    expect(parts[0]?.until).toBe(parts[1]?.lines[0]?.second)
  })

  test('no line is lost, doubled or moved by cutting (S10.800)', () => {
    const spoken = fc.record({
      second: fc.option(fc.double({ min: 0, max: 9000, noNaN: true })),
      speaker: fc.option(fc.constantFrom('Анна', 'Борис', 'Участник 3')),
      text: fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 80 }).map((words) => words.join(' ')),
    })
    const examples = fc.property(
      fc.array(spoken, { maxLength: 60 }),
      fc.integer({ min: 2500, max: 24_000 }),
      (lines, most) => {
        const parts = cutParts(lines, most)
        expect(wordsOf(parts.flatMap((part) => part.lines))).toBe(wordsOf(lines))
        for (const { lines: own, text } of parts) {
          expect(own.length).toBeGreaterThan(0)
          for (const part of own) expect(text).toContain(part.text)
        }
      },
    )
    fc.assert(examples, { numRuns: 300 })
  })

  test('a phone number said in two lines stays in one (S10.807)', () => {
    const parts = cutParts(
      [line(0, 'Запишите телефон 8 912'), line(2, '345-67-89, это склад.'), line(5, 'Спасибо.')],
      2000,
    )
    expect(parts[0]?.text).toBe('[0] Запишите телефон 8 912 345-67-89, это склад.\n[5] Спасибо.')
  })

  test('a text without times is cut between sentences', () => {
    const text = Array.from({ length: 400 }, (_, i) => `Это предложение номер ${i} без времени.`).join(' ')
    const parts = cutParts([line(null, text)], 4000)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.every((part) => part.text.endsWith('.') && !part.text.startsWith('['))).toBe(true)
  })

  test('an empty recording has no parts', () => {
    expect(cutParts([line(0, ' '), line(1, '')], 1000)).toEqual([])
  })
})

test('another model, text or speaker is read anew, another name is not (S10.797)', () => {
  const hash = (model: string, text: string, speaker: string, key: string) =>
    cutParts([{ ...line(0, text, speaker), key }], 1000).map((part) => hashOf(model, part))[0]
  const read = hash('a', 'текст', 'Участник 1', 's1')
  expect(hash('a', 'текст', 'Анна', 's1')).toBe(read)
  const others = [hash('b', 'текст', 'Анна', 's1'), hash('a', 'Текст', 'Анна', 's1'), hash('a', 'текст', 'Анна', 's2')]
  expect(new Set([read, ...others]).size).toBe(4)
  expect(sourceOf([line(0, 'а', 'Анна')])).not.toBe(sourceOf([line(0, 'а', 'Борис')]))
})
