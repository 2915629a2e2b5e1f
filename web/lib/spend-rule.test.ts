import { expect, test } from 'vitest'
import { ASK_FROM, consentText, needsConsent } from './spend-rule.ts'

const balance = (availableTokens: number, dailyCap: number | null = null) => ({
  ...{ availableTokens, dailyCap, spentToday: 0 },
})
const asks = (most: number, left: number, least = 1) => needsConsent({ most, least }, balance(left))
const plain = (text: string) => text.replace(/\s/g, ' ')

test('a price above half of the balance is confirmed (S10.634)', () => {
  expect(asks(13_500, 20_000)).toBe(true)
  expect(asks(10_000, 20_000)).toBe(false)
  expect(asks(10_001, 20_000)).toBe(true)
  expect(asks(13_500, 200_000)).toBe(false)
})

test('a small price is never confirmed (S10.634)', () => {
  expect(asks(ASK_FROM - 1, 2000)).toBe(false)
  expect(asks(ASK_FROM, 2000)).toBe(true)
})

test('a price above the balance is refused, not confirmed (S10.634)', () => {
  expect(asks(13_500, 1000, 1602)).toBe(false)
  expect(asks(13_500, 9000, 1602)).toBe(true)
})

test('a daily limit counts as the balance and is asked about (S10.1453)', () => {
  const capped = { availableTokens: 22_900, dailyCap: 2100, spentToday: 2053 }
  expect(needsConsent({ most: 1016, least: 31 }, capped)).toBe(true)
  expect(needsConsent({ most: 1016, least: 31 }, { ...capped, spentToday: 1000 })).toBe(false)
  expect(needsConsent({ most: 5500, least: 1 }, balance(1_000_000, 6000))).toBe(true)
})

test('the question shows the price and the balance', () => {
  expect(plain(consentText('Этот вопрос', { most: 13_500 }, balance(20_000)))).toBe(
    'Этот вопрос может стоить до 13 500 из 20 000 символов.',
  )
  expect(plain(consentText('Этот вопрос', { most: 13_500 }, balance(20_001)))).toMatch(/из 20 001 символа\.$/)
  expect(plain(consentText('Этот вопрос', { most: 13_500 }, balance(9000)))).toBe(
    'Этот вопрос может стоить до 13 500 символов, а на балансе 9 000: ответ может оборваться.',
  )
  expect(plain(consentText('Этот вопрос', { most: 13_500 }, balance(90_000, 5000)))).toMatch(
    /а на сегодня осталось 5 000/,
  )
})
