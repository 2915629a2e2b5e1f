import { expect, test } from 'vitest'
import { PromoBatch, PromoChange, PromoDraft, promoError } from '#contract/promocodes.ts'
import { inventCode, newTerms, readTerms, termFields } from './promo-draft.ts'

const promo = {
  id: 'p1',
  name: 'Телеграм, ноябрь',
  hint: '2026',
  symbols: 20_000,
  discountPercent: null,
  maxUses: 100,
  startsAt: null,
  expiresAt: '2027-01-01T12:30:00.000Z',
  firstPurchaseOnly: true,
  active: true,
  uses: 3,
  createdAt: '2026-06-01T00:00:00.000Z',
  deletedAt: null,
}

test('a code is unchanged after a round trip through its form', () => {
  const { id: _, hint: __, uses: ___, createdAt: ____, deletedAt: _____, ...terms } = promo
  expect(readTerms(termFields(promo))).toEqual(terms)
  expect(PromoChange.parse(readTerms(termFields(promo)))).toEqual(terms)
})

test('only the chosen symbols or discount are sent', () => {
  const draft = { ...newTerms, symbols: '500', discountPercent: '20' }
  expect(readTerms(draft)).toMatchObject({ symbols: 500, discountPercent: null })
  expect(readTerms({ ...draft, gives: 'discount' })).toMatchObject({ symbols: 0, discountPercent: 20 })
})

test('the number of uses must be chosen: single, limited or unlimited', () => {
  const maxUses = (change: object) => readTerms({ ...newTerms, symbols: '500', ...change }).maxUses
  expect(maxUses({ who: 'one', maxUses: '7' })).toBe(1)
  expect(maxUses({ who: 'some', maxUses: '1 000' })).toBe(1000)
  expect(maxUses({ who: 'all', maxUses: '7' })).toBeNull()
  const draft = { code: 'SUMMER', ...readTerms({ ...newTerms, symbols: '500' }) }
  expect(PromoDraft.safeParse(draft).error?.issues.map(({ path }) => path)).toEqual([['maxUses']])
})

test('an empty form is rejected, by the schema or by the rule', () => {
  expect(PromoDraft.safeParse({ code: 'SUMMER', ...readTerms(newTerms) }).success).toBe(false)
  const zero = readTerms({ ...newTerms, who: 'one', symbols: '0' })
  expect(PromoBatch.safeParse({ count: 5, prefix: '', ...zero }).success).toBe(true)
  expect(promoError(zero)).toMatchObject({ field: 'symbols' })
})

test('a random code is long, readable and different each time', () => {
  const codes = Array.from({ length: 200 }, () => inventCode())
  expect(new Set(codes).size).toBe(200)
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{10}$/)
})

test('random values that would favour some characters are discarded', () => {
  let turn = 0
  const code = inventCode((values) => values.fill(turn++ === 0 ? 255 : 0))
  expect(code).toBe('2222222222')
})
