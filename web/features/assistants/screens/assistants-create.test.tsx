import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { modelsApi } from '#contract/models.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, anAssistant, anAttachment, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import AssistantCreateScreen from './assistants-create.tsx'

const assistant = anAssistant({ name: 'Новый ассистент' })
const pdf = () => new File(['Аренда'], 'договор.txt', { type: 'text/plain' })

function open() {
  openSilentRealtime()
  const server = new FakeServer()
    .on(modelsApi.list, [aModel()])
    .on(modelsApi.usualCosts, [])
    .on(usersApi.me, aProfile())
    .on(assistantsApi.list, [{ ...assistant, files: [anAttachment({ name: 'договор.txt' })] }])
    .on(assistantsApi.allowance, { allowance: null })
    .on(assistantsApi.create, assistant)
    .on(assistantsApi.addFile, anAttachment({ name: 'договор.txt' }))
    .on(assistantsApi.update, { ...assistant, name: 'Договор' })
  return { server, ...render(<AssistantCreateScreen />, { path: '/assistants/create' }) }
}

const fileInput = () => document.querySelector<HTMLInputElement>('input[type=file][multiple]') as HTMLInputElement

test('the first file saves the assistant before the form is complete', async () => {
  const { server, user, address } = open()
  await user.upload(fileInput(), pdf())
  await waitFor(() => expect(server.calls(assistantsApi.addFile)).toHaveLength(1))
  expect(server.calls(assistantsApi.create)).toMatchObject([{ body: { name: 'Новый ассистент' } }])
  expect(server.calls(assistantsApi.addFile)).toMatchObject([{ params: { id: 'a1' } }])
  expect(await screen.findByText('договор.txt')).toBeTruthy()

  await user.type(screen.getByLabelText('Название'), 'Договор')
  await user.click(screen.getByRole('button', { name: 'Создать ассистента' }))
  await waitFor(() => expect(address()).toBe('/assistants'))
  expect(server.calls(assistantsApi.create)).toHaveLength(1)
  expect(server.calls(assistantsApi.update)).toMatchObject([{ params: { id: 'a1' }, body: { name: 'Договор' } }])
})

test('without files the assistant is created once and offers its chat', async () => {
  const { server, user, address } = open()
  await user.type(screen.getByLabelText('Название'), 'Договор')
  await user.click(screen.getByRole('button', { name: 'Создать ассистента' }))
  await waitFor(() => expect(address()).toBe('/assistants'))
  expect(server.calls(assistantsApi.create)).toMatchObject([{ body: { name: 'Договор' } }])
  await user.click(await screen.findByRole('button', { name: 'Начать чат' }))
  expect(address()).toBe('/?assistant=a1')
  expect(server.calls(assistantsApi.update)).toEqual([])
})

test('a file of a rejected assistant says why and can be repeated', async () => {
  const { server, user } = open()
  server.on(assistantsApi.create, rejection('conflict', 'Ассистентов уже 50.'))
  await user.upload(fileInput(), pdf())
  expect(await screen.findByText('409: Ассистентов уже 50.')).toBeTruthy()
  server.on(assistantsApi.create, assistant)
  await user.upload(fileInput(), pdf())
  await waitFor(() => expect(server.calls(assistantsApi.addFile)).toHaveLength(1))
})

test('search words are on, name their price and can be turned off (S10.777)', async () => {
  const { server, user } = open()
  await user.click(screen.getByText('Дополнительно'))
  const option = await screen.findByRole('switch', { name: /Искать по смыслу/ })
  expect(option.getAttribute('aria-checked')).toBe('true')
  expect(screen.getByText(/добавляет к вопросу до 1\s500 символов/)).toBeTruthy()
  await user.click(option)
  await user.type(screen.getByLabelText('Название'), 'Договор')
  await user.click(screen.getByRole('button', { name: 'Создать ассистента' }))
  await waitFor(() => expect(server.calls(assistantsApi.create)).toMatchObject([{ body: { searchWords: false } }]))
})

test('what is seldom changed is folded and says what it is (S10.1535)', async () => {
  const { user } = open()
  const folded = screen.getByText('Дополнительно').closest('details')
  expect(folded?.open).toBe(false)
  expect(screen.getByText('Модели из любой страны, поиск по смыслу')).toBeTruthy()
  await user.click(screen.getByText('Дополнительно'))
  await user.click(await screen.findByRole('switch', { name: /^Только модели с данными в России/ }))
  await user.click(screen.getByRole('switch', { name: /Искать по смыслу/ }))
  expect(screen.getByText('Только модели с данными в России, поиск по словам')).toBeTruthy()
})
