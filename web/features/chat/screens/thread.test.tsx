import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { draftKey, drafts } from '#web/features/chat/state/drafts.ts'
import { outbox } from '#web/features/chat/state/outbox.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import ThreadScreen from './thread.tsx'

const TEXT = 'У вас нет беседы с таким ID'

function open(error: ReturnType<typeof rejection>) {
  const server = new FakeServer().on(usersApi.me, aProfile()).on(threadsApi.get, error)
  return { server, ...render(<ThreadScreen params={{ id: '7' }} />, { path: '/threads/7' }) }
}

test('a missing chat is a 404 page without a retry (S2.79)', async () => {
  open(rejection('not_found', TEXT))
  expect(await screen.findByRole('heading', { name: '404' })).toBeTruthy()
  expect(screen.getByText(TEXT)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Хочу домой' }).getAttribute('href')).toBe('/')
  expect(screen.queryByRole('button', { name: 'Повторить' })).toBeNull()
})

test('a chat with a server error says why and can be retried (S10.187)', async () => {
  const { server, user } = open(rejection('internal', 'Сломалось'))
  expect(await screen.findByRole('heading', { name: '500' })).toBeTruthy()
  expect(screen.queryByText(TEXT)).toBeNull()
  expect(screen.getByText('500: Сломалось')).toBeTruthy()
  server.on(threadsApi.get, rejection('not_found', TEXT))
  await user.click(screen.getByRole('button', { name: 'Повторить' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Повторить' })).toBeNull())
})

test('an offline chat shows its unsent message and when it opens (S10.444)', () => {
  const userId = newUserId()
  drafts().write(draftKey(userId, '7'), { text: 'Чай или кофе?', files: [] })
  onlineManager.setOnline(false)
  render(<ThreadScreen params={{ id: '7' }} />, { path: '/threads/7', userId })
  expect(screen.getByText('Чат откроется сам, как только появится интернет.')).toBeTruthy()
  expect(screen.getByText('Чай или кофе?')).toBeTruthy()
})

test('an unsent chat has the usual model, not a lost one (S10.1434)', async () => {
  const userId = newUserId()
  const failure = { code: 'consent_required', message: 'Отметьте согласие.' }
  const newThread = { modelId: null, assistantId: null }
  openSilentRealtime()
  new FakeServer().on(usersApi.me, aProfile()).on(modelsApi.list, [aModel()]).on(modelsApi.usualCosts, [])
  outbox().put({ id: 'm-new', userId, threadId: 't-new', content: 'Привет', files: [], newThread, failure, at: 1 })
  render(<ThreadScreen params={{ id: 't-new' }} />, { path: '/threads/t-new', userId })
  expect(await screen.findByRole('button', { name: new RegExp(aModel().name) })).toBeTruthy()
  expect(screen.queryByText(/больше недоступна/)).toBeNull()
})
