import { expect, test } from 'vitest'
import { thoughtChunks } from './thought-chunks.ts'
import { durationLabel, lastLine, thoughtLabel, willThink } from './thought-labels.ts'

const plain = (text: string) => text.replace(/\s/g, ' ')

test('a running thought counts seconds, then minutes', () => {
  const thinking = { isThinking: true, isHidden: false }
  expect(thoughtLabel({ ...thinking, seconds: null })).toBe('Думает…')
  expect(thoughtLabel({ ...thinking, seconds: 0 })).toBe('Думает…')
  expect(plain(thoughtLabel({ ...thinking, seconds: 34 }))).toBe('Думает… 34 с')
  expect([59, 60, 125].map(durationLabel).map(plain)).toEqual(['59 с', '1 мин', '2 мин 5 с'])
})

test('a finished thought shows its time and whether it is hidden', () => {
  const done = { isThinking: false, seconds: 34, isHidden: false }
  expect(plain(thoughtLabel(done))).toBe('Размышления, 34 с')
  expect(thoughtLabel({ ...done, seconds: null })).toBe('Размышления')
  expect(plain(thoughtLabel({ ...done, isHidden: true }))).toBe('Размышления, 34 с · провайдер их не показывает')
})

test('a model thinks unless the choice or its rate says otherwise (S10.370)', () => {
  expect(willThink({ thinks: true, thoughtRate: 0 }, undefined)).toBe(true)
  expect(willThink({ thinks: true, thoughtRate: 1 }, 'none')).toBe(false)
  expect(willThink({ thinks: false, thoughtRate: 0.5 }, 'none')).toBe(true)
  expect(willThink({ thinks: false, thoughtRate: 0 }, 'most')).toBe(false)
})

test('the line of a thought is its last line without marks', () => {
  expect(lastLine('Сначала одно.\n\n**Проверка условий**\n')).toBe('Проверка условий')
  expect(lastLine('- раз\n2. второе условие')).toBe('второе условие')
  expect(lastLine('')).toBe('')
})

test('a growing thought changes only its last chunk (S10.374)', () => {
  const line = 'Если поезд едет быстрее, он приедет раньше, а если медленнее, позже.\n'
  for (const whole of [line.repeat(400), line.replace('\n', ' ').repeat(400), 'а'.repeat(30_000)]) {
    const chunks = thoughtChunks(whole)
    expect(chunks.length).toBeGreaterThan(5)
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(4000)
    expect(chunks.join('').replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''))
    const before = thoughtChunks(whole.slice(0, -3000))
    expect(chunks.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
  }
  expect(thoughtChunks('')).toEqual([''])
})
