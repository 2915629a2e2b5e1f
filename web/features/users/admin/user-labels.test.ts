import { expect, test } from 'vitest'
import { formatSize, lastSeenLabel, signInLabel, subscriptionLabel } from './user-labels.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const hours = (n: number) => new Date(now - n * 3_600_000).toISOString()

test('a visit today shows the hour, an earlier visit the day', () => {
  expect(lastSeenLabel(hours(0.5), now)).toBe('только что')
  expect(lastSeenLabel(hours(2.9), now)).toBe('2\u00a0часа назад')
  expect(lastSeenLabel(hours(21), now)).toBe('21\u00a0час назад')
  expect(lastSeenLabel(hours(72), now)).toBe('12 ноября')
  expect(lastSeenLabel(hours(24 * 400), now)).toContain('2025')
})

test('a size is written in the largest fitting unit', () => {
  expect([0, 350, 1024, 1536, 20 * 1024 ** 2, 3.25 * 1024 ** 3].map(formatSize)).toEqual([
    '0\u00a0Б',
    '350\u00a0Б',
    '1\u00a0КБ',
    '1,5\u00a0КБ',
    '20\u00a0МБ',
    '3,3\u00a0ГБ',
  ])
})

test('email is always a sign-in method, others are listed once', () => {
  const at = hours(1)
  const providers = ['credential', 'vk', 'vk', 'other'].map((providerId) => ({ providerId, createdAt: at }))
  expect(signInLabel([])).toBe('письмо')
  expect(signInLabel(providers)).toBe('письмо, пароль, VK ID, other')
})

test('a subscription says whether it renews or ends', () => {
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
  expect(subscriptionLabel(base, now)).toMatch(/^продлится 17 ноября/)
  expect(subscriptionLabel({ ...base, activeTo: null }, now)).toBe('ещё не оплачена')
  expect(subscriptionLabel({ ...base, cancelRequestedAt: hours(1), renewAt: null }, now)).toMatch(/^не продлится, опл/)
  expect(subscriptionLabel({ ...base, state: 'canceled', activeTo: hours(1) }, now)).toMatch(/^закончилась/)
  const once = { ...base, state: 'once', renewAt: null }
  expect(subscriptionLabel(once, now)).toMatch(/^не продлится \(куплена на один период\), оплачена до 17/)
  expect(subscriptionLabel({ ...once, state: 'unsaved' }, now)).toContain('способ оплаты не сохранился')
  expect(subscriptionLabel({ ...base, renewAt: hours(2) }, now)).toBe('платёж за продление не прошёл')
})
