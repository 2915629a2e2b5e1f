import { expect, test } from 'vitest'
import { paymentOutcome, readPayment } from './payment-outcome.ts'

test('the order id is found among the parameters of the gateway', () => {
  expect(readPayment('')).toBeNull()
  expect(readPayment('?operations=in')).toBeNull()
  expect(readPayment('?payment=o-1')).toBe('o-1')
  expect(readPayment('?payment=o-1&token=abc&status=successful&uid=5-5')).toBe('o-1')
  expect(readPayment('?payment=o-1?id=sbs_5')).toBe('o-1')
})

test('a pending payment is polled, then left to the server', () => {
  const nothing = { order: undefined, isUnknown: false, isLate: false }
  const pending = { ...nothing, order: { status: 'pending' as const } }
  expect([nothing, pending].map(paymentOutcome)).toEqual(['waiting', 'waiting'])
  expect(paymentOutcome({ ...pending, isLate: true })).toBe('late')
  expect(paymentOutcome({ ...nothing, isUnknown: true })).toBe('unknown')
})

test('a known result is shown even after the polling time', () => {
  const outcome = (status: 'paid' | 'failed' | 'expired' | 'refunded' | 'charged_back') =>
    paymentOutcome({ order: { status }, isUnknown: false, isLate: true })
  expect(outcome('paid')).toBe('paid')
  expect(outcome('failed')).toBe('declined')
  expect(outcome('expired')).toBe('expired')
  expect([outcome('refunded'), outcome('charged_back')]).toEqual(['returned', 'returned'])
})
