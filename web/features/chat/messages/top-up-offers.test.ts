import { expect, test } from 'vitest'
import { bundleOffer, cheapestFitting, planOffer } from './top-up-offers.ts'

const small = { symbols: 1000, price: 100, currency: 'BYN' }
const middle = { symbols: 5000, price: 350, currency: 'BYN' }
const cheap = { symbols: 6000, price: 300, currency: 'BYN' }

test('the cheapest offer that brings enough symbols is chosen (S10.159)', () => {
  expect(cheapestFitting([middle, small, cheap], 500)).toBe(small)
  expect(cheapestFitting([middle, small, cheap], 1001)).toBe(cheap)
})

test('the largest offer is chosen when no offer is enough', () => {
  expect(cheapestFitting([small, middle, cheap], 9000)).toBe(cheap)
  expect(cheapestFitting([], 1)).toBeNull()
})

test('an offer shows symbols and price, a plan also its period', () => {
  expect(bundleOffer(middle).replace(/\s/g, ' ')).toBe('Купить 5 000 за 3,50 BYN')
  expect(planOffer({ ...middle, name: 'Старт', intervalDays: 30 }).replace(/\s/g, ' ')).toBe(
    'Тариф «Старт»: 5 000 за 3,50 BYN на 30 дней',
  )
})
