import { expect, test } from 'vitest'
import { readLocalTime, writeLocalTime } from './local-time.ts'

test('a moment is unchanged after a round trip through the viewer’s zone', () => {
  for (const month of ['01', '07']) {
    const iso = `2026-${month}-15T21:05:00.000Z`
    const shown = writeLocalTime(iso)
    expect(shown).toMatch(/^2026-\d\d-\d\dT\d\d:05$/)
    expect(new Date(shown).getTime()).toBe(Date.parse(iso))
    expect(readLocalTime(shown)).toBe(iso)
  }
})

test('an empty or half typed field is no moment', () => {
  expect(readLocalTime('')).toBeNull()
  expect(readLocalTime('2026-13-40T99:99')).toBeNull()
  expect(writeLocalTime(null)).toBe('')
})
