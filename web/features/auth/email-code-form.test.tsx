import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'
import { rememberWantedPath } from '#web/lib/next-path.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { EmailCodeForm } from './email-code-form.tsx'

beforeEach(() => rememberWantedPath(null))

const field = () => screen.getByLabelText('Код из письма')

test('a pasted code signs in by itself and opens the requested page (S10.1435)', async () => {
  const server = new FakeServer().on(authApi.signInEmailCode, { redirect: true, url: '/prompts/5', token: 't' })
  const assign = vi.fn()
  vi.stubGlobal('location', { origin: location.origin, assign })
  rememberWantedPath('/prompts/5')
  const { user } = render(<EmailCodeForm email="anna@mail.ru" />)
  expect(field()).toMatchObject({ inputMode: 'numeric', autocomplete: 'one-time-code' })
  await user.click(field())
  await user.paste(' 042 917 ')
  const body = { email: 'anna@mail.ru', code: '042917', callbackURL: '/prompts/5' }
  expect(server.calls(authApi.signInEmailCode)).toMatchObject([{ body }])
  expect(assign).toHaveBeenCalledWith('/prompts/5')
})

test('a wrong code clears itself and says so; the next is sent (S10.1435)', async () => {
  const message = 'Код не подошёл. Проверьте цифры: нужен код из последнего письма. Осталось попыток: 4.'
  const server = new FakeServer().on(
    authApi.signInEmailCode,
    new ApiError({ status: 400, code: 'INVALID_CODE', message }),
  )
  const { user } = render(<EmailCodeForm email="anna@mail.ru" />)
  await user.type(field(), '123{Enter}')
  expect(await screen.findByText(/Введите 6/)).toBeTruthy()
  expect(server.calls(authApi.signInEmailCode)).toEqual([])
  await user.type(field(), '456')
  expect(await screen.findByText(`400: ${message}`)).toBeTruthy()
  expect(field()).toMatchObject({ value: '' })
  expect(document.activeElement).toBe(field())
  await user.type(field(), '654321')
  await waitFor(() =>
    expect(server.calls(authApi.signInEmailCode).map(({ body }) => body.code)).toEqual(['123456', '654321']),
  )
})

test('a code that did not arrive stays and can be sent again (S10.1435)', async () => {
  const server = new FakeServer().on(authApi.signInEmailCode, rejection('internal', 'Упал'))
  const { user } = render(<EmailCodeForm email="anna@mail.ru" />)
  await user.type(field(), '123456')
  expect(await screen.findByText(/500/)).toBeTruthy()
  expect(field()).toMatchObject({ value: '123456' })
  await user.click(screen.getByRole('button', { name: 'Войти' }))
  await waitFor(() => expect(server.calls(authApi.signInEmailCode)).toHaveLength(2))
})
