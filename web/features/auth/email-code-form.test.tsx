import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'
import { rememberWantedPath } from '#web/lib/next-path.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { EmailCodeForm } from './email-code-form.tsx'

beforeEach(() => rememberWantedPath(null))

const field = () => screen.getByLabelText('Код из письма')
const submit = () => screen.getByRole('button', { name: 'Войти' })

test('a code pasted with spaces signs in and opens the requested page', async () => {
  const server = new FakeServer().on(authApi.signInEmailCode, { redirect: true, url: '/prompts/5', token: 't' })
  const assign = vi.fn()
  vi.stubGlobal('location', { origin: location.origin, assign })
  rememberWantedPath('/prompts/5')
  const { user } = render(<EmailCodeForm email="anna@mail.ru" />)
  expect(field()).toMatchObject({ inputMode: 'numeric', autocomplete: 'one-time-code' })
  await user.click(field())
  await user.paste(' 042 917 ')
  await user.click(submit())
  const body = { email: 'anna@mail.ru', code: '042917', callbackURL: '/prompts/5' }
  expect(server.calls(authApi.signInEmailCode)).toMatchObject([{ body }])
  expect(assign).toHaveBeenCalledWith('/prompts/5')
})

test('too few digits are not sent, and a wrong code gives advice', async () => {
  const message = 'Код не подошёл. Проверьте цифры: нужен код из последнего письма. Осталось попыток: 4.'
  const server = new FakeServer().on(
    authApi.signInEmailCode,
    new ApiError({ status: 400, code: 'INVALID_CODE', message }),
  )
  const { user } = render(<EmailCodeForm email="anna@mail.ru" />)
  await user.type(field(), '123')
  await user.click(submit())
  expect(await screen.findByText(/Введите 6/)).toBeTruthy()
  expect(server.calls(authApi.signInEmailCode)).toEqual([])
  await user.type(field(), '456')
  await user.click(submit())
  expect(await screen.findByText(`400: ${message}`)).toBeTruthy()
})
