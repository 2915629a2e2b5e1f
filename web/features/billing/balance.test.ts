import { expect, test } from 'vitest'
import { balanceShare, balanceTone } from './balance.tsx'

test('the balance is amber below a fifth and red below a twentieth (S10.46)', () => {
  const tone = (availableTokens: number) => balanceTone({ availableTokens, capacity: 1000 })
  expect([1000, 200, 199, 50, 49, 0].map(tone)).toEqual([
    'neutral',
    'neutral',
    'warning',
    'warning',
    'danger',
    'danger',
  ])
})

test('a balance without grants is empty', () => {
  expect(balanceTone({ availableTokens: 0, capacity: 0 })).toBe('danger')
  expect(balanceShare({ availableTokens: 0, capacity: 0 })).toBe(0)
})

test('the bar shows the share that is left', () => {
  expect(balanceShare({ availableTokens: 250, capacity: 1000 })).toBe(0.25)
  expect(balanceShare({ availableTokens: 1200, capacity: 1000 })).toBe(1)
})
