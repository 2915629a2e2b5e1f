import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { ProfilePart } from '#contract/profile-sections.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { ProfilePage } from './profile-page.tsx'

afterEach(() => history.replaceState(null, '', '/'))

function open(part: ProfilePart, address: string) {
  history.replaceState(null, '', address)
  new FakeServer().on(usersApi.me, aProfile())
  return render(<ProfilePage part={part}>{({ email }) => <p>Почта: {email}</p>}</ProfilePage>, { path: address })
}

test('the profile parts are links, and the open part is marked (S10.178)', async () => {
  const { user, address } = open('profile-operations', '/profile/operations')
  await screen.findByText(/Почта/)
  const names = screen.getAllByRole('link').map((link) => link.textContent)
  expect(names).toEqual(['Баланс и оплата', 'Операции', 'Ключи API', 'Настройки', 'Аккаунт'])
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Операции')
  await user.click(screen.getByRole('link', { name: 'Аккаунт' }))
  expect(address()).toBe('/profile/account')
})

test('an old address leads to the part with the section (S10.178)', () => {
  const { address } = open('profile', '/profile#sessions')
  expect(address()).toBe('/profile/account#sessions')
  expect(screen.queryByText(/Почта/)).toBeNull()
})

test('a section of this part and a payment stay in place (S10.178)', async () => {
  const { address } = open('profile', '/profile?payment=7#plan')
  expect(await screen.findByText(/Почта/)).toBeTruthy()
  expect(address()).toBe('/profile?payment=7#plan')
})
