import { expect, test } from 'vitest'
import { decideRecovery } from './lazy-part.ts'

const calm = { now: 100_000, reloadedAt: 0, online: true, held: false }

test('a part that is gone reloads the page', () => {
  expect(decideRecovery(calm)).toBe('reload')
})

test('it reloads once: for ten seconds after a reload the failure is shown', () => {
  expect(decideRecovery({ ...calm, reloadedAt: 90_001 })).toBe('give-up')
  expect(decideRecovery({ ...calm, reloadedAt: 90_000 })).toBe('reload')
})

test('with something unsaved the reload is offered, not done', () => {
  expect(decideRecovery({ ...calm, held: true })).toBe('offer')
})

test('offline a reload would lose the page', () => {
  expect(decideRecovery({ ...calm, online: false })).toBe('give-up')
})
