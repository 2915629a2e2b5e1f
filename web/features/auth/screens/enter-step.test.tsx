import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { authApi } from '#contract/auth.ts'
import { type PageState, pageApi } from '#contract/page.ts'
import { earlyConsents } from '#web/lib/early-consents.ts'
import { typedQuestion, writeQuestion } from '#web/lib/pending-question.ts'
import { removeShell } from '#web/lib/shell.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aPage } from '#web/testing/samples.ts'
import { EnterStep } from './enter-step.tsx'

const welcome = {
  text: 'Чат с лучшими моделями',
  offer: '3 000 символов в подарок',
  examples: ['Составь меню', 'Напиши письмо'],
}

function Page() {
  const [email, setEmail] = useState('')
  return (
    <main>
      <EnterStep mode="link" email={email} onEmail={setEmail} sample={<p>Пример</p>} />
    </main>
  )
}

async function open({ documents = [], toAgree = [] }: Pick<PageState, 'documents' | 'toAgree'> = {}) {
  const server = new FakeServer()
    .on(pageApi.state, { ...aPage('anna'), user: null, welcome, documents, toAgree })
    .on(authApi.signInMagicLink, { status: true })
  const page = render(<Page />, { documents, toAgree })
  await screen.findByText(welcome.text)
  return { ...page, server }
}

const question = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ваш вопрос' })
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Электронная почта' })

afterEach(() => {
  removeShell()
  localStorage.clear()
})

test('a person who signed out reads the same introduction (S10.217)', async () => {
  await open()
  expect(screen.getByText('3 000 символов в подарок')).toBeTruthy()
})

test('a typed question is kept, and Enter leads to the address (S10.660)', async () => {
  const { user } = await open()
  const fields = screen.getAllByRole('textbox')
  expect(fields[0]).toBe(question())
  await user.type(question(), 'Почему небо синее?{Enter}')
  expect(typedQuestion()?.text).toBe('Почему небо синее?')
  expect(document.activeElement).toBe(email())
  expect(screen.getByText('Сохранили. Отправим, как только вы войдёте')).toBeTruthy()
})

test('a reload or another visit finds the question again (S10.660)', async () => {
  writeQuestion('Почему небо синее?')
  await open()
  expect(question().value).toBe('Почему небо синее?')
})

test('an example fills the field, but never replaces typed words (S10.668)', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Составь меню' }))
  expect(question().value).toBe('Составь меню')
  await user.click(screen.getByRole('button', { name: 'Напиши письмо' }))
  expect(question().value).toBe('Напиши письмо')
  await user.type(question(), ' маме')
  await user.click(screen.getByRole('button', { name: 'Составь меню' }))
  expect(question().value).toBe('Напиши письмо маме\n\nСоставь меню')
  expect(typedQuestion()?.text).toBe(question().value)
})

test('the question goes into the request, never into an address', async () => {
  const { user, server, address } = await open()
  await user.type(question(), 'Почему небо синее?')
  await user.type(email(), 'anna@mail.ru')
  await user.click(screen.getByRole('button', { name: 'Получить код' }))
  await waitFor(() => expect(address()).toBe('/auth/email-sended?email=anna%40mail.ru'))
  const { id, threadId, text } = typedQuestion() ?? {}
  expect(server.calls(authApi.signInMagicLink)).toMatchObject([
    { body: { email: 'anna@mail.ru', metadata: { question: { id, threadId, text } } } },
  ])
})

test('the request without a question has no question', async () => {
  const { user, server } = await open()
  await user.type(email(), 'anna@mail.ru')
  await user.click(screen.getByRole('button', { name: 'Получить код' }))
  await waitFor(() => expect(server.calls(authApi.signInMagicLink)).toHaveLength(1))
  expect(server.calls(authApi.signInMagicLink)[0]?.body).not.toHaveProperty('metadata')
})

test('one way is offered, the others are folded away (S10.1436)', async () => {
  await open()
  expect(screen.getByText('Другие способы').closest('details')?.open).toBe(false)
  expect(screen.getByText('Войти с паролем').closest('details')).toBeTruthy()
})

test('once a question is typed the card asks where the code goes (S10.1436)', async () => {
  const { user } = await open()
  expect(screen.getByRole('heading', { name: /^Вход в/ })).toBeTruthy()
  await user.type(question(), 'Почему?')
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Куда прислать код?')
})

test('the documents are asked about once, by boxes beside the address (S10.1437)', async () => {
  const toAgree = [
    { kind: 'offer', version: 3 },
    { kind: 'personal-data', version: 1 },
  ]
  const { user } = await open({ documents: ['offer', 'personal-data'], toAgree })
  expect(screen.queryByText(/Продолжая/)).toBeNull()
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
  expect(boxes.map(({ checked }) => checked)).toEqual([false, false])
  await user.click(screen.getByRole('checkbox', { name: /условия оферты/ }))
  await user.type(email(), 'Anna@mail.ru{Enter}')
  await waitFor(() => expect(earlyConsents('anna@mail.ru')).toEqual([{ kind: 'offer', version: 3 }]))
  expect(earlyConsents('boris@mail.ru')).toEqual([])
})

test.each([
  ['the documents of the seller', ['offer'], '/legal/offer'],
  ['the page about them', [], '/help/account/terms'],
])('the terms to agree to are %s (S10.671)', async (_, documents, href) => {
  await open({ documents })
  const link = screen.getByRole('link', { name: 'условиями' })
  expect(link.getAttribute('href')).toBe(href)
  expect(link.closest('span')?.textContent).toMatch(/^Продолжая, вы соглашаетесь с\u00a0условиями\./)
})

test('words typed before the scripts are kept (S10.669)', async () => {
  const shell = document.createElement('div')
  shell.id = 'shell'
  const [area, input] = [document.createElement('textarea'), document.createElement('input')]
  shell.append(area, input)
  document.body.append(shell)
  area.value = 'Почему небо'
  input.value = 'anna@m'
  input.focus()
  await open()
  expect([question().value, email().value]).toEqual(['Почему небо', 'anna@m'])
  expect(document.activeElement).toBe(email())
  expect(typedQuestion()?.text).toBe('Почему небо')
})
