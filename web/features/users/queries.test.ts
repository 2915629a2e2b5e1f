import { expect, test } from 'vitest'
import type { Profile } from '#contract/users.ts'
import { withChange } from './queries.ts'

const anna: Profile = {
  id: 'u1',
  email: 'anna@mail.ru',
  name: 'Анна',
  image: 'data:image/webp;base64,AAAA',
  emailVerified: true,
  role: 'user',
  createdAt: '2026-03-08T09:05:00.000Z',
  Settings: {
    threadModel: null,
    threadHistory: true,
    threadHistoryLimit: 10,
    threadGptNameEnabled: true,
    threadGptNamePrompt: '',
  },
  SingleSubscription: { availableTokens: 20_000, active: true, recurrent: false },
  giftRejection: null,
}

test('only changed fields are replaced', () => {
  expect(withChange(anna, { name: ' Аня ' })).toEqual({ ...anna, name: 'Аня' })
  expect(withChange(anna, { image: null })).toEqual({ ...anna, image: null })
  expect(withChange(anna, { Settings: { threadHistory: false } })).toEqual({
    ...anna,
    Settings: { ...anna.Settings, threadHistory: false },
  })
})
