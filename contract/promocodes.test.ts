import { expect, test } from 'vitest'
import { type PromoCode, PromoDraft, promoError, promoState } from './promocodes.ts'

const now = Date.parse('2026-06-15T12:00:00Z')
const code: PromoCode = {
  id: 'p1',
  name: 'Телеграм, ноябрь',
  hint: '2026',
  symbols: 100,
  discountPercent: null,
  maxUses: 2,
  startsAt: null,
  expiresAt: null,
  firstPurchaseOnly: false,
  active: true,
  uses: 0,
  createdAt: '2026-06-01T00:00:00.000Z',
  deletedAt: null,
}
const before = '2026-06-15T11:59:59.000Z'
const after = '2026-06-15T12:00:01.000Z'

test.each([
  ['live', {}],
  ['live', { startsAt: before, expiresAt: after, uses: 1 }],
  ['live', { maxUses: null, uses: 1000 }],
  ['waiting', { startsAt: after }],
  ['ended', { expiresAt: before, uses: 2 }],
  ['spent', { uses: 2, startsAt: after }],
  ['off', { active: false, expiresAt: before }],
  ['deleted', { active: false, deletedAt: before }],
] as const)('a code is %s: %j', (state, change) => {
  expect(promoState({ ...code, ...change }, now)).toBe(state)
})

test('a code gives symbols or a discount, and ends after its start', () => {
  const terms = { symbols: 0, discountPercent: null, startsAt: null, expiresAt: null }
  expect(promoError(terms)).toMatchObject({ field: 'symbols' })
  expect(promoError({ ...terms, symbols: 5, discountPercent: 10 })).toMatchObject({ field: 'symbols' })
  expect(promoError({ ...terms, symbols: 5 })).toBeNull()
  expect(promoError({ ...terms, discountPercent: 10, startsAt: before, expiresAt: after })).toBeNull()
  const turned = { ...terms, symbols: 5, startsAt: after, expiresAt: before }
  expect(promoError(turned)).toMatchObject({ field: 'expiresAt' })
})

test.each([
  [{ code: 'abc' }, 'Не меньше 4 знаков'],
  [{ code: 'с пробелом' }, 'Только буквы, цифры, дефис и подчёркивание'],
  [{ symbols: 1.5 }, 'Нужно целое число'],
  [{ symbols: Number.NaN }, 'Нужно целое число'],
  [{ discountPercent: 101 }, 'Нужно число от 1 до 100'],
])('the error is in Russian: %j', (change, words) => {
  const { error } = PromoDraft.safeParse({ code: 'SUMMER', symbols: 1, ...change })
  expect(error?.issues[0]?.message).toBe(words)
})
