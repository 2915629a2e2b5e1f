import { expect, test } from 'vitest'
import { isMarkedCanceled, paymentOutcome, readPayment } from './payment-outcome.ts'

test('the order id is found among the parameters of the gateway', () => {
  expect(readPayment('')).toBeNull()
  expect(readPayment('?operations=in')).toBeNull()
  expect(readPayment('?payment=o-1')).toBe('o-1')
  expect(readPayment('?payment=o-1&token=abc&status=successful&uid=5-5')).toBe('o-1')
  expect(readPayment('?payment=o-1?id=sbs_5')).toBe('o-1')
})

const nothing = { order: undefined, isUnknown: false, waitStage: 'fresh', isMarkedCanceled: false } as const
const pending = { ...nothing, order: { status: 'pending', progress: null } } as const
const untouched = { ...nothing, order: { status: 'pending', progress: 'untouched' } } as const
const processing = { ...nothing, order: { status: 'pending', progress: 'processing' } } as const

test('a pending payment is polled, then left to the server (S10.57)', () => {
  expect([nothing, pending, untouched, processing].map(paymentOutcome)).toEqual(Array(4).fill('waiting'))
  expect(paymentOutcome({ ...processing, waitStage: 'over' })).toBe('late')
  expect(paymentOutcome({ ...pending, waitStage: 'over' })).toBe('silent')
  expect(paymentOutcome({ ...nothing, isUnknown: true })).toBe('unknown')
})

test('a payment is cancelled only when the gateway saw no payment (S10.189)', () => {
  expect(isMarkedCanceled('?payment=o-1&status=canceled')).toBe(true)
  expect(paymentOutcome({ ...untouched, isMarkedCanceled: true })).toBe('canceled')
  for (const seen of [nothing, pending, processing])
    expect(paymentOutcome({ ...seen, isMarkedCanceled: true })).toBe('waiting')
  expect(paymentOutcome({ ...processing, isMarkedCanceled: true, waitStage: 'over' })).toBe('late')
})

test('a person who returns without paying learns it after a moment', () => {
  expect(paymentOutcome({ ...untouched, waitStage: 'settled' })).toBe('unfinished')
  expect(paymentOutcome({ ...untouched, waitStage: 'over' })).toBe('unfinished')
})

test('a known result is always shown', () => {
  const outcome = (status: 'paid' | 'failed' | 'expired' | 'refunded' | 'charged_back') =>
    paymentOutcome({ order: { status, progress: null }, isUnknown: false, waitStage: 'over', isMarkedCanceled: true })
  expect(outcome('paid')).toBe('paid')
  expect(outcome('failed')).toBe('declined')
  expect(outcome('expired')).toBe('expired')
  expect([outcome('refunded'), outcome('charged_back')]).toEqual(['returned', 'returned'])
})
