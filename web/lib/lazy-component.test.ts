import { expect, test } from 'vitest'
import { decideRecovery } from './lazy-component.ts'

const usual = { now: 100_000, reloadedAt: 0, isOnline: true, isReloadHeld: false }

test('a part that is gone reloads the page', () => {
  expect(decideRecovery(usual)).toBe('reload')
})

test('it reloads once: for ten seconds after a reload the failure is shown (S9.25)', () => {
  expect(decideRecovery({ ...usual, reloadedAt: 90_001 })).toBe('give-up')
  expect(decideRecovery({ ...usual, reloadedAt: 90_000 })).toBe('reload')
})

test('with something unsaved the reload is offered, not done', () => {
  expect(decideRecovery({ ...usual, isReloadHeld: true })).toBe('offer')
})

test('offline a reload would lose the page', () => {
  expect(decideRecovery({ ...usual, isOnline: false })).toBe('give-up')
})
