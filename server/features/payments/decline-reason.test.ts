import { expect, test } from 'vitest'
import { declineReasonOf } from './decline-reason.ts'

test.each([
  [{ payment: { bank_code: '51' } }, 'funds'],
  [{ payment: { bank_code: '61' } }, 'limit'],
  [{ payment: { bank_code: '4' } }, 'blocked'],
  [{ payment: { bank_code: '05' }, message: 'Insufficient funds' }, 'funds'],
  [{ message: 'Недостаточно средств на карте' }, 'funds'],
  [{ message: '3-D Secure authentication failed' }, 'confirmation'],
  [{ message: 'Expired card' }, 'expired'],
  [{ message: 'Payment was declined' }, 'other'],
  [{}, 'other'],
] as const)('the reason in %j is %s (S10.189)', (declined, reason) => {
  expect(declineReasonOf({ message: null, ...declined })).toBe(reason)
})
