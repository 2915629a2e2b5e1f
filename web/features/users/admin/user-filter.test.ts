import { expect, test } from 'vitest'
import { readState } from '#web/lib/url-state.ts'
import { csvAddress, hasFilters, toUserQuery, userParams } from './user-filter.ts'

const state = (address: string) => readState(userParams, new URLSearchParams(address))

test('a URL becomes a server query without empty parameters', () => {
  expect(toUserQuery(state(''))).toEqual({ page: 1, size: 50, sort: '-createdAt' })
  expect(toUserQuery(state('query=anna&role=admin&seen=idle-90&balanceFrom=0&plan=any&from=2026-03-01'))).toEqual({
    page: 1,
    size: 50,
    sort: '-createdAt',
    query: 'anna',
    role: 'admin',
    idleDays: 90,
    balanceFrom: 0,
    plan: 'any',
    from: '2026-03-01',
  })
})

test('invalid parameters are ignored', () => {
  const odd = state('role=emperor&balanceTo=-5&from=yesterday&seen=active-0&plan=a%20b')
  expect(hasFilters(odd)).toBe(false)
  expect(hasFilters(state('balanceTo=0'))).toBe(true)
})

test('the CSV takes the filters without page and order', () => {
  expect(csvAddress(state('page=3&size=20&sort=email'))).toBe('/api/users/csv')
  expect(csvAddress(state('page=3&query=a%26b&seen=active-7'))).toBe('/api/users/csv?query=a%26b&activeDays=7')
})
