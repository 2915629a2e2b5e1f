import { expect, test } from 'vitest'
import { csvAddress, type OperationFilter, readFilter, writeFilter } from './operation-filter.ts'

const everything: OperationFilter = { direction: 'all', from: null, to: null }
const read = (query: string) => readFilter(new URLSearchParams(query))

test('a URL without a filter shows everything', () => {
  expect(read('')).toEqual(everything)
  expect(read('payment=o1')).toEqual(everything)
})

test('a filter written into the URL is read back', () => {
  const filter: OperationFilter = { direction: 'out', from: '2026-11-01', to: '2026-11-15' }
  expect(readFilter(writeFilter(new URLSearchParams('payment=o1'), filter))).toEqual(filter)
})

test('other parameters stay, and an empty filter adds no parameter', () => {
  const params = writeFilter(new URLSearchParams('payment=o1&operations=in&from=2026-11-01'), everything)
  expect(params.toString()).toBe('payment=o1')
})

test('invalid parameters are ignored', () => {
  expect(read('operations=sideways&from=yesterday&to=2026-13-45')).toEqual(everything)
})

test('the CSV has the same filter', () => {
  expect(csvAddress(everything)).toBe('/api/transactions/csv')
  expect(csvAddress({ direction: 'in', from: '2026-11-01', to: null })).toBe(
    '/api/transactions/csv?direction=in&from=2026-11-01',
  )
})
