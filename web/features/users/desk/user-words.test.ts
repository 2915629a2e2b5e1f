import { expect, test } from 'vitest'
import { seenWords, signInWords, sizeWords, subscriptionWords } from './user-words.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const hours = (n: number) => new Date(now - n * 3_600_000).toISOString()

test('a visit is told to the hour today and by its day later', () => {
  expect(seenWords(hours(0.5), now)).toBe('только что')
  expect(seenWords(hours(2.9), now)).toBe('2\u00a0часа назад')
  expect(seenWords(hours(21), now)).toBe('21\u00a0час назад')
  expect(seenWords(hours(72), now)).toBe('12 ноября')
  expect(seenWords(hours(24 * 400), now)).toContain('2025')
})

test('sizes have the unit that keeps them short', () => {
  expect([0, 350, 1024, 1536, 20 * 1024 ** 2, 3.25 * 1024 ** 3].map(sizeWords)).toEqual([
    '0\u00a0Б',
    '350\u00a0Б',
    '1\u00a0КБ',
    '1,5\u00a0КБ',
    '20\u00a0МБ',
    '3,3\u00a0ГБ',
  ])
})

test('a letter is always a way in, others are named once', () => {
  const at = hours(1)
  const providers = ['credential', 'vk', 'vk', 'other'].map((providerId) => ({ providerId, createdAt: at }))
  expect(signInWords([])).toBe('письмо')
  expect(signInWords(providers)).toBe('письмо, пароль, VK ID, other')
})

test('a subscription says what will come of it', () => {
  const ahead = hours(-48)
  const base = {
    id: 's',
    plan: { id: 'p', name: 'Личный' },
    price: { amount: 990, currency: 'BYN' },
    state: 'active',
    activeTo: ahead,
    renewAt: ahead,
    cancelRequestedAt: null,
    createdAt: hours(1),
  }
  expect(subscriptionWords(base, now)).toMatch(/^продлится 17 ноября/)
  expect(subscriptionWords({ ...base, activeTo: null }, now)).toBe('ещё не оплачена')
  expect(subscriptionWords({ ...base, cancelRequestedAt: hours(1), renewAt: null }, now)).toMatch(/^не продлится, опл/)
  expect(subscriptionWords({ ...base, state: 'canceled', activeTo: hours(1) }, now)).toMatch(/^закончилась/)
  expect(subscriptionWords({ ...base, renewAt: hours(2) }, now)).toBe('платёж за продление не прошёл')
})
