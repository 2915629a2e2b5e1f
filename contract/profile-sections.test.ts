import { expect, test } from 'vitest'
import { movedSection, profileParts, profilePath } from './profile-sections.ts'
import { findScreen, screens } from './screens.ts'

test('every part of the profile is a route with the profile layout (S10.178)', () => {
  for (const [name, { path }] of Object.entries(profileParts)) {
    expect(findScreen(path)).toEqual({ screen: name, layout: screens.profile.layout, params: {} })
  }
})

test('a section has its address in its part', () => {
  expect(profilePath('plan')).toBe('/profile#plan')
  expect(profilePath('receipts')).toBe('/profile/operations#receipts')
  expect(profilePath('chat')).toBe('/profile/settings#chat')
  expect(profilePath('sessions')).toBe('/profile/account#sessions')
})

test('an old address of a section leads to its part (S10.178)', () => {
  expect(movedSection('/profile', 'sessions')).toBe('/profile/account#sessions')
  expect(movedSection('/profile', 'operations')).toBe('/profile/operations#operations')
  expect(movedSection('/profile/settings', 'plan')).toBe('/profile#plan')
  expect(movedSection('/profile', 'plan')).toBeNull()
  expect(movedSection('/profile/account', 'sessions')).toBeNull()
  expect(movedSection('/profile', '')).toBeNull()
  expect(movedSection('/profile', 'no-such')).toBeNull()
})
