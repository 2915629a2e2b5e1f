import { expect, test } from 'vitest'
import { readState } from '#web/lib/url-state.ts'
import * as ledger from './ledger-filter.ts'
import * as orders from './order-filter.ts'

const ledgerState = (search: string) => readState(ledger.ledgerParams, new URLSearchParams(search))
const orderState = (search: string) => readState(orders.orderParams, new URLSearchParams(search))

test('the URL of operations becomes a filter without invalid parameters', () => {
  const state = ledgerState(
    'kind=answer&direction=out&user=u1&model=m&key=k1&from=2026-03-01&to=2026-03-31&least=10&most=x',
  )
  expect(ledger.ledgerFilter(state)).toEqual({
    kind: 'answer',
    direction: 'out',
    userId: 'u1',
    modelId: 'm',
    keyId: 'k1',
    from: '2026-03-01',
    to: '2026-03-31',
    symbolsFrom: 10,
  })
  expect(ledger.ledgerFilter(ledgerState('kind=theft&from=yesterday&least=-5'))).toEqual({})
  expect(ledger.hasFilters(ledgerState('sort=symbols&page=3&entry=7'))).toBe(false)
  expect(ledger.hasFilters(ledgerState('least=1'))).toBe(true)
  expect(ledger.ledgerCsvAddress(ledgerState('query=anna&page=2'))).toBe('/api/transactions/table/csv?query=anna')
  expect(ledger.ledgerCsvAddress(ledgerState('page=2'))).toBe('/api/transactions/table/csv')
})

test('the URL of orders becomes a filter with sums in units', () => {
  const state = orderState('status=paid&product=plan:p:1&least=9,90&most=100&order=o1')
  expect(orders.orderFilter(state)).toEqual({ status: 'paid', planId: 'p:1', amountFrom: 990, amountTo: 10_000 })
  expect(orders.orderFilter(orderState('product=bundle:b'))).toEqual({ bundleId: 'b' })
  expect(orders.orderFilter(orderState('product=nothing&least=abc'))).toEqual({})
  expect(orders.hasFilters(orderState('order=o1'))).toBe(false)
  expect(orders.orderCsvAddress(orderState('least=1'))).toBe('/api/orders/table/csv?amountFrom=100')
})
