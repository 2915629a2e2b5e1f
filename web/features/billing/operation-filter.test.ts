import { expect, test } from 'vitest'
import { readState } from '#web/lib/url-state.ts'
import { csvAddress, operationParams } from './operation-filter.ts'

const read = (query: string) => readState(operationParams, new URLSearchParams(query))

test('the CSV has the filter of the URL, without invalid parameters', () => {
  expect(csvAddress(read('payment=o1'))).toBe('/api/transactions/csv')
  expect(csvAddress(read('operations=in&from=2026-11-01'))).toBe('/api/transactions/csv?direction=in&from=2026-11-01')
  expect(csvAddress(read('operations=sideways&from=yesterday&to=2026-13-45'))).toBe('/api/transactions/csv')
})
