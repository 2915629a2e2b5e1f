import { afterEach, expect, test, vi } from 'vitest'
import { forgetLastEmail, lastEmail, rememberLastEmail } from './last-email.ts'

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

test('the address is remembered for a month or until signing out (S10.172)', () => {
  expect(lastEmail()).toBe('')
  rememberLastEmail('anna@mail.ru')
  expect(lastEmail()).toBe('anna@mail.ru')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
  expect(lastEmail()).toBe('anna@mail.ru')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 })
  expect(lastEmail()).toBe('')
  vi.useRealTimers()
  forgetLastEmail()
  expect(lastEmail()).toBe('')
})

test('an invalid stored value is not an address', () => {
  localStorage.setItem('sign-in-email', '{"email":7}')
  expect(lastEmail()).toBe('')
})
