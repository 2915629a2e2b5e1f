import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { rememberLastEmail } from '#web/features/auth/last-email.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { UsedLink } from './used-link.tsx'

afterEach(() => localStorage.clear())

const field = () => screen.getByLabelText('Электронная почта')

test('a used sign-in link offers another to the same address (S10.172)', async () => {
  const server = new FakeServer().on(authApi.signInMagicLink, { status: true })
  rememberLastEmail('anna@mail.ru')
  const { user, address } = render(<UsedLink />, { path: '/auth/signin?error=INVALID_TOKEN' })
  expect(screen.getByText('Ссылка уже сработала или ей больше 15 минут.')).toBeTruthy()
  expect(field()).toHaveProperty('value', 'anna@mail.ru')
  await user.click(screen.getByRole('button', { name: 'Прислать новую' }))
  expect(server.calls(authApi.signInMagicLink)).toMatchObject([{ body: { email: 'anna@mail.ru' } }])
  expect(address()).toBe('/auth/email-sended?email=anna%40mail.ru')
})

test('a browser without a request knows no address', () => {
  render(<UsedLink />, { path: '/auth/signin?error=INVALID_TOKEN' })
  expect(field()).toHaveProperty('value', '')
})

test('a used reset link offers another reset', async () => {
  const server = new FakeServer().on(accountApi.requestPasswordReset, { status: true, message: '' })
  rememberLastEmail('anna@mail.ru')
  const { user, address } = render(<UsedLink />, { path: '/auth/signin?mode=reset&error=INVALID_TOKEN' })
  await user.click(screen.getByRole('button', { name: 'Прислать новую' }))
  expect(server.calls(accountApi.requestPasswordReset)).toHaveLength(1)
  expect(address()).toBe('/auth/signin?mode=sent&email=anna%40mail.ru')
})
