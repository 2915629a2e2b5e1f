import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { decideRoute } from '#contract/route-guard.ts'
import { render } from '#web/testing/render.tsx'
import { ErrorPage } from './error-page.tsx'

/** The page as the address of a redirect shows it. */
function open(code: string) {
  const visit = decideRoute('/auth/signin', new URLSearchParams({ error: code }).toString(), null, [])
  if (visit.type !== 'fail') throw new Error(`${code} shows no error`)
  render(<ErrorPage error={visit.error} />)
}

test.each([
  ['invalid_callback_request', 'Сервис ответил непонятно.'],
  ['state_not_found', 'Вход занял больше десяти минут или начался в другом браузере.'],
  ['no_code', 'Сервис не подтвердил вход.'],
  ['oauth_provider_not_found', 'Этот способ входа не подключён.'],
  ['invalid_code', 'Сервис не подтвердил вход.'],
  ['unable_to_get_user_info', 'Сервис не сообщил, кто вы.'],
  ['no_callback_url', 'Непонятно, куда вернуться после входа.'],
  ['unable_to_link_account', 'Не получилось привязать сервис.'],
  ["email_doesn't_match", 'Почта в сервисе не совпадает с вашей.'],
  ['account_already_linked_to_different_user', 'Эта учётная запись сервиса уже привязана к другому аккаунту.'],
  ['email_not_found', 'Сервис не сообщил адрес почты.'],
])('the page shows the callback error %s, explains it and leads home (S8.5, S8.14)', async (code, sentence) => {
  open(code)
  expect(await screen.findByText((text) => text.startsWith(sentence))).toBeTruthy()
  expect(screen.getByText(code)).toBeTruthy()
  expect(screen.getByRole('heading', { name: '400' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Хочу домой' })).toBeTruthy()
})

test('an unknown code is shown as it is', () => {
  open('something_new')
  expect(screen.getByText('something_new')).toBeTruthy()
})

test('INVALID_TOKEN reads «Код недействителен»', () => {
  open('INVALID_TOKEN')
  expect(screen.getByText('Код недействителен')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Хочу домой' })).toBeTruthy()
})
