import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { modelsApi } from '#contract/models.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { TryOut } from './try-out.tsx'

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Вопрос для пробы' })
const shown = (text: RegExp) =>
  screen.findByText((_, element) => text.test(plain(element)) && !element?.children.length)
const plain = (element: Element | null) => (element?.textContent ?? '').replace(/\s/g, ' ')

function open(availableTokens: number) {
  const server = new FakeServer()
    .on(usersApi.me, aProfile({ availableTokens }))
    .on(modelsApi.list, [aModel()])
    .on(modelsApi.usualCosts, [])
    .on(assistantsApi.tryOut, rejection('unavailable', 'Занято.'))
  const tested = { assistantId: 'a1', instructions: 'Отвечай кратко.', modelId: null, country: null }
  return { server, ...render(<TryOut tested={tested} passages={6000} starters={['Что в файле?']} />) }
}
const callsOf = (server: FakeServer) => server.calls(assistantsApi.tryOut).length

test('a question with files shows its highest price first (S10.712)', async () => {
  const { server, user } = open(100_000)
  expect(await shown(/^К вопросу добавится до 6 015 символов: инструкции и выдержки из файлов$/)).toBeTruthy()
  await user.type(field(), 'Сколько?')
  expect(await screen.findByTitle(/^Вопрос, инструкции и выдержки до 6\s023/)).toBeTruthy()
  expect(callsOf(server)).toBe(0)
})

test('a question above half of the balance asks first (S10.712)', async () => {
  const { server, user } = open(10_000)
  await shown(/^К вопросу добавится/)
  await user.type(field(), 'Сколько?{Enter}')
  const dialog = await screen.findByRole('dialog')
  expect(plain(dialog)).toContain('Этот вопрос может стоить до 9 223 из 10 000 символов.')
  await user.click(screen.getByRole('button', { name: 'Отмена' }))
  expect(callsOf(server)).toBe(0)
  expect(field().value).toBe('Сколько?')
  await user.click(screen.getByRole('button', { name: 'Спросить' }))
  await screen.findByRole('dialog')
  await user.click(screen.getAllByRole('button', { name: 'Спросить' }).at(-1) as HTMLElement)
  await waitFor(() => expect(callsOf(server)).toBe(1))
  expect(field().value).toBe('')
})

test('an expensive example asks first too (S10.712)', async () => {
  const { server, user } = open(10_000)
  await shown(/^К вопросу добавится/)
  await user.click(screen.getByRole('button', { name: 'Что в файле?' }))
  await screen.findByRole('dialog')
  expect(callsOf(server)).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Отмена' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
