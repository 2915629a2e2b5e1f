import { expect, test } from 'vitest'
import { readState } from '#web/lib/url-state.ts'
import { daysBefore, daysOf, periodParams } from './period.ts'

const now = Date.parse('2026-11-15T21:30:00Z')
const daysIn = (search: string) => daysOf(readState(periodParams, new URLSearchParams(search)), now)

test.each([
  ['', '2026-10-18', '2026-11-16'],
  ['period=today', '2026-11-16', '2026-11-16'],
  ['period=7', '2026-11-10', '2026-11-16'],
  ['period=90', '2026-08-19', '2026-11-16'],
  ['period=month', '2026-11-01', '2026-11-16'],
  ['period=own&from=2026-01-01&to=2026-01-31', '2026-01-01', '2026-01-31'],
])('«%s» is %s to %s in Minsk time', (search, from, to) => {
  expect(daysIn(search)).toEqual({ from, to })
})

test('an invalid period gives valid days', () => {
  expect(daysIn('period=own&from=nonsense&to=2030-01-01')).toEqual({ from: '2026-11-16', to: '2026-11-16' })
  expect(daysIn('period=own&from=2026-05-02&to=2026-05-01')).toEqual({ from: '2026-05-01', to: '2026-05-01' })
  expect(daysIn('period=ages').to).toBe('2026-11-16')
})

test('days are compared with as many before them', () => {
  expect(daysBefore({ from: '2026-11-10', to: '2026-11-16' })).toEqual({ from: '2026-11-03', to: '2026-11-09' })
  expect(daysBefore({ from: '2026-03-01', to: '2026-03-01' })).toEqual({ from: '2026-02-28', to: '2026-02-28' })
})
