import { expect, test } from 'vitest'
import { maskBody } from './mask-body.ts'

test('payment facts stay; card data, secrets and personal data are masked', () => {
  const body = {
    transaction: {
      uid: 'b7c0-uid',
      status: 'successful',
      amount: 49900,
      test: false,
      paid_at: null,
      message: 'Card 4200 0000 0000 0000 approved',
      receipt_url: 'https://pay.test/receipt?language=ru&hash=abc&token=def#end',
      credit_card: {
        holder: 'IVAN IVANOV',
        stamp: 'a1b2',
        brand: 'visa',
        last_4: '1006',
        first_1: '4',
        bin: '401200',
        exp_month: 10,
        exp_year: 2027,
        token: 'secret-token',
      },
      customer: { ip: '203.0.113.9', email: 'anna@example.test', device_id: 'd', phone: '+375291112233' },
      billing_address: { first_name: 'Иван', city: 'Минск' },
      payment: { auth_code: '654321', rrn: '999', ref_id: '777888', status: 'successful' },
      items: [{ number: '4200000000000000' }, 'plain'],
    },
  }
  const masked = maskBody(body)
  expect(masked).toEqual({
    transaction: {
      uid: 'b7c0-uid',
      status: 'successful',
      amount: 49900,
      test: false,
      paid_at: null,
      message: 'Card ••• approved',
      receipt_url: 'https://pay.test/receipt?language=ru&hash=•••&token=•••#end',
      credit_card: {
        holder: '•••',
        stamp: '•••',
        brand: 'visa',
        last_4: '1006',
        first_1: '•••',
        bin: '•••',
        exp_month: '•••',
        exp_year: '•••',
        token: '•••',
      },
      customer: { ip: '•••', email: 'a•••@example.test', device_id: '•••', phone: '•••' },
      billing_address: '•••',
      payment: { auth_code: '•••', rrn: '•••', ref_id: '•••', status: 'successful' },
      items: [{ number: '•••' }, 'plain'],
    },
  })
  expect(JSON.stringify(masked)).not.toMatch(/IVAN|4200|401200|secret-token|654321|203\.0|anna/)
  expect(maskBody(masked)).toEqual(masked)
})

test('email addresses are masked, also inside texts', () => {
  const customer = { email: 'anna@example.test', first_name: 'Анна', external_id: 'u1', address: null }
  expect(maskBody({ customer, message: 'to anna@example.test from 203.0.113.9' })).toEqual({
    customer: { email: 'a•••@example.test', first_name: '•••', external_id: '•••', address: null },
    message: 'to a•••@example.test from •••',
  })
})

test.each(['0f4b2c1e-1234-4567-8901-abcdef012345', '01991234-1234-7123-8901-123456789012'])(
  '%s is no card number',
  (uid) => {
    expect(maskBody({ uid, tracking_id: `bundle:${uid}`, created_at: '2026-11-15T08:00:00.000Z' })).toEqual({
      uid,
      tracking_id: `bundle:${uid}`,
      created_at: '2026-11-15T08:00:00.000Z',
    })
  },
)
